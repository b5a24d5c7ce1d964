# SPDX-License-Identifier: BSD-3-Clause
"""Reads a capture of two ends' talk by docs/control.md, and checks every frame of it.

tshark dissects Ethernet, IPv4 and UDP; what is above comes from the page alone.
"""
import collections
import csv
import json
import struct
import subprocess

LEARNING, CONTROL, PROBE = 'ba4e1ea2', 'ba4ec791', 'ba4e317e'
SEGMENT, ANNOUNCEMENT, ACKNOWLEDGEMENT, COMPLETION = 1, 2, 3, 4
WARNING = 6291456  # of tshark's severities
FIELDS = ('frame.len eth.src eth.dst eth.type ip.len ip.ttl ip.flags.df ip.checksum.status ip.src '
          'ip.dst udp.srcport udp.dstport udp.length udp.checksum.status data.data _ws.malformed '
          '_ws.expert.severity').split()

Control = collections.namedtuple(
    'Control', 'src dst kind length session receipt message segment segments text')


def rows(path):
    """Every frame of a capture, sound as far as tshark can tell."""
    command = ['tshark', '-n', '-r', path, '-o', 'ip.check_checksum:TRUE', '-o',
               'udp.check_checksum:TRUE', '-T', 'fields']
    for field in FIELDS:
        command += ['-e', field]
    out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                         check=True).stdout
    for row in csv.DictReader(out.splitlines(), FIELDS, delimiter='\t'):
        assert not row['_ws.malformed'], f'malformed: {row}'
        severities = [int(s) for s in row['_ws.expert.severity'].split(',') if s]
        assert all(s < WARNING for s in severities), f'tshark warns: {row}'
        if row['ip.src']:
            assert row['ip.checksum.status'] == row['udp.checksum.status'] == '1', f'sum: {row}'
        yield row


def crc32c(data):
    """RFC 3720 appendix B.4, bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def control_frame(row):
    fixed = {'frame.len': '124', 'eth.type': '0x0800', 'ip.len': '110', 'ip.ttl': '64',
             'ip.flags.df': '1', 'ip.src': '198.18.0.1', 'ip.dst': '198.19.0.1',
             'udp.srcport': '49152', 'udp.dstport': '49184', 'udp.length': '90'}
    for field, value in fixed.items():
        assert row[field] == value, f'{field} of a control frame: {row}'
    data = bytes.fromhex(row['data.data'])
    version, kind, length, session, receipt, message, segment, segments = struct.unpack_from(
        '!BBHIIIHH', data, 4)
    macs = bytes.fromhex((row['eth.dst'] + row['eth.src']).replace(':', ''))
    assert struct.unpack_from('!I', data, 78)[0] == crc32c(macs + data[:78]), f'CRC: {row}'
    assert version == 1 and kind in (1, 2, 3, 4), f'version, kind: {row}'
    assert length <= 54 and not any(data[24 + length:78]), f'no zeros after the text: {row}'
    assert 0 <= segment < segments <= 4855 and message > 0, f'segment: {row}'
    if kind in (SEGMENT, ANNOUNCEMENT):
        assert length == 54 or segment == segments - 1, f'a short segment in the middle: {row}'
    else:
        assert length == 0, f'an answer with text: {row}'
    assert (receipt != 0) == (kind == ACKNOWLEDGEMENT), f'receipt: {row}'
    return Control(row['eth.src'], row['eth.dst'], kind, length, session, receipt, message, segment,
                   segments, data[24:24 + length])


def learning_frame(row):
    assert row['frame.len'] == '60' and row['eth.dst'] == 'ff:ff:ff:ff:ff:ff', f'learning: {row}'
    assert not row['data.data'][8:].strip('0'), f'no zeros in a learning frame: {row}'


def read(path):
    """Control frames, learning frames by sender, probes by sender and trial (0: the warm-up)."""
    controls, learning, probes = [], collections.Counter(), collections.Counter()
    for row in rows(path):
        magic = row['data.data'][:8]
        if row['eth.type'] == '0x88b5' and magic == LEARNING:
            learning_frame(row)
            learning[row['eth.src']] += 1
        elif magic == CONTROL:
            controls.append(control_frame(row))
        else:
            assert magic == PROBE, f'a frame of nobody: {row}'
            probes[row['eth.src'], int(row['data.data'][32:34], 16)] += 1
    return controls, learning, probes


def conversation(controls):
    """(sender, confirmed or announced, message) in the order in which messages became whole."""
    texts, copies, done, told = {}, collections.Counter(), set(), []
    for frame in controls:
        key = (frame.session, frame.message)
        if frame.kind in (SEGMENT, ANNOUNCEMENT):
            copies[frame.kind, key, frame.segment] += 1
            text = texts.setdefault(key, {})
            assert text.get(frame.segment, frame.text) == frame.text, f'two texts: {frame}'
            before = len(text)
            text[frame.segment] = frame.text
            if before < len(text) == frame.segments:
                whole = b''.join(text[i] for i in range(frame.segments))
                told.append((frame.src, frame.kind == SEGMENT, json.loads(whole), key))
        elif frame.kind == COMPLETION:
            done.add(key)
    for (kind, key, segment), count in copies.items():
        if kind == ANNOUNCEMENT:
            assert count == 3, f'segment {segment} of announcement {key}: {count} copies'
    for _, confirmed, message, key in told:
        assert next(iter(message)) == 'type', f'type is not the first member: {message}'
        assert (key in done) == confirmed, f'confirmed {key in done}: {message}'
    assert len(told) == len(texts), 'messages that never became whole'
    return [(src, confirmed, message) for src, confirmed, message, _ in told]
