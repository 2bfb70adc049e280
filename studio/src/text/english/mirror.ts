// The texts of the drawer that shows a request.

export const mirrorEnglish = {
  title: 'This page as a request',
  hint: 'What this page reads, for your own programs. The answer depends on the rights of the token.',
  tokenHint: 'TOKEN is a static token of yours, or of an account made for the purpose.',
  viewAs: (header: string) => `You are viewing as another user: send the header ${header} as well.`,
  kinds: 'Language of the request',
  copy: 'Copy',
  copied: 'Copied',
  sentTo: (address: string) => `For ${address}`,
  noGraphql: 'GraphQL has no such read. GraphiQL lists what there is.',
  openGraphiql: 'Open GraphiQL',
};

export type MirrorMessages = typeof mirrorEnglish;
