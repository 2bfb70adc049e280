// Codes of errors that this dialect itself raises, beside SQLite's. An error crosses from a worker as its code and message.

export const errorCode = {
  cancelled: 'TAIN_CANCELLED',
  timeout: 'TAIN_TIMEOUT',
  noTransaction: 'TAIN_NO_TRANSACTION',
  lost: 'TAIN_LOST',
  convert: 'TAIN_CONVERT',
  tooLong: 'TAIN_TOO_LONG',
  outOfRange: 'TAIN_OUT_OF_RANGE',
  refused: 'TAIN_REFUSED',
} as const;
