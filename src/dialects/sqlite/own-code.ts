// The codes of errors that are ours and not SQLite's; they cross from a worker as text.

export const ownCode = {
  cancelled: 'TAIN_CANCELLED',
  timeout: 'TAIN_TIMEOUT',
  noTransaction: 'TAIN_NO_TRANSACTION',
  lost: 'TAIN_LOST',
  convert: 'TAIN_CONVERT',
  tooLong: 'TAIN_TOO_LONG',
  outOfRange: 'TAIN_OUT_OF_RANGE',
  refused: 'TAIN_REFUSED',
} as const;
