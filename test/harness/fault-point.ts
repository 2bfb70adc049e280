// Counts the calls of a port and decides which of them fail: the Nth from now, or all from the Nth on.

export interface FaultPoint {
  /** Lets the Nth call from now fail; with `lasting`, every later one as well, until `disarm`. */
  arm(at: number, lasting?: boolean): void;
  /** Whether a call failed since `arm`. */
  disarm(): boolean;
  /** Counts a call; true when it has to fail. */
  strikes(): boolean;
}

export function makeFaultPoint(): FaultPoint {
  let left = Number.POSITIVE_INFINITY;
  let lasts = false;
  let struck = false;
  return {
    arm(at, lasting = false) {
      [left, lasts, struck] = [at, lasting, false];
    },
    disarm() {
      left = Number.POSITIVE_INFINITY;
      return struck;
    },
    strikes() {
      left -= 1;
      const now = left === 0 || (lasts && left < 0);
      struck ||= now;
      return now;
    },
  };
}
