// A place where there is nothing to show, with what it is about and a way on.

import { Link } from 'wouter';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { PageHead } from './page-head.js';

interface NothingHereProps {
  readonly message: string;
  /** Where to go from here; the first screen otherwise. */
  readonly way?: { readonly title: string; readonly href: string };
}

export function NothingHere({ message, way }: NothingHereProps) {
  const text = useText();
  const { project } = useStudio().boot;
  return (
    <>
      <PageHead title={way?.title ?? project.project_name ?? 'Tain'} />
      <div className="empty">
        <h2>{message}</h2>
        <Link href={way?.href ?? '/'} className="button">
          {way?.title ?? text.home}
        </Link>
      </div>
    </>
  );
}
