// Generous deadlines for tests of other things: on a busy machine a healthy database may take seconds to answer, and a test that fails for
// that reason says nothing about the service.

const patientMs = 30_000;

/** For a service. */
export const patientConfig = {
  poolTimeout: patientMs,
  lockTimeout: patientMs,
  silenceTimeout: patientMs,
  healthTimeout: patientMs,
} as const;

/** The same for a command, by names of its environment. */
export const patientVariables = {
  POOL_TIMEOUT: `${patientMs}ms`,
  LOCK_TIMEOUT: `${patientMs}ms`,
  SILENCE_TIMEOUT: `${patientMs}ms`,
  HEALTH_TIMEOUT: `${patientMs}ms`,
} as const;

/** For a dialect without a service around it. */
export const patientDeadlines = { poolMs: patientMs, lockMs: patientMs, silenceMs: patientMs } as const;

/** For `expect.poll` and for whatever a test waits for. */
export const patience = patientMs;
