// Whether the client has gone. The part of AbortSignal that is needed: every AbortSignal is one, and requests have a cheaper implementation.

export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
