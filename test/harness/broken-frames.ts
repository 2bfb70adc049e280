// Bytes after a handshake that are no frame of a client.

export const brokenFrames = [
  ['a frame without a mask', Buffer.from([0x81, 0x02, 0x7b, 0x7d])],
  ['reserved bits', Buffer.from([0xf1, 0x80, 0, 0, 0, 0])],
  ['an unknown opcode', Buffer.from([0x8b, 0x80, 0, 0, 0, 0])],
  ['text that is no UTF-8', Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xff, 0xff])],
  ['a length beyond all bounds', Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])],
  ['no frame at all', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
] as const;
