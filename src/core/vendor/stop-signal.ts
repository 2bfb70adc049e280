// Whether whoever asked has gone, and who wants to be told. Every AbortSignal is one; requests have a smaller one of their own.

export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
