// The card in the middle of the page that contains each form around signing in.

import type { ReactNode } from 'react';

interface EntryCardProps {
  readonly project: string;
  readonly title: string;
  readonly children: ReactNode;
}

export const EntryCard = ({ project, title, children }: EntryCardProps) => (
  <main className="entry">
    <div className="entry-card">
      <div className="entry-mark" aria-hidden="true">
        {project.slice(0, 1)}
      </div>
      <h1>{title}</h1>
      {children}
    </div>
  </main>
);
