// A timer for limits of which 0 means none.

export const startTimer = (action: () => void, milliseconds: number): NodeJS.Timeout | undefined =>
  milliseconds > 0 ? setTimeout(action, milliseconds) : undefined;
