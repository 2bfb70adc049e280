// Why something was refused, below what was asked for, and read out by screen readers.

export const RefusalText = ({ text }: { readonly text: string | null }) => (
  <p role="alert" className="refusal" hidden={text === null}>
    {text}
  </p>
);
