// Says that something cannot be read, and what the service said to it.

interface FailedReadProps {
  readonly what: string;
  /** Null: nothing failed. */
  readonly error: Error | null;
}

export const FailedRead = ({ what, error }: FailedReadProps) =>
  error === null ? null : (
    <p className="banner notice" role="alert">
      {what} {error.message}
    </p>
  );
