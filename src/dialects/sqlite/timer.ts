// A timer that 0 milliseconds switch off.

export const startTimer = (action: () => void, milliseconds: number): NodeJS.Timeout | undefined =>
  milliseconds > 0 ? setTimeout(action, milliseconds) : undefined;
