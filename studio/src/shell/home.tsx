// The first screen: a greeting and the collections, for people who have not chosen one yet.

import { Link } from 'wouter';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { PageHead } from './page-head.js';

export function Home() {
  const text = useText();
  const { schema, me } = useStudio().boot;
  const collections = [...schema.values()].filter((each) => !each.hidden && !each.isSystem && !each.isFolder);
  return (
    <>
      <PageHead title={me.first_name === null ? text.home : text.welcome(me.first_name)} />
      <div className="scroll">
        {collections.length === 0 ? (
          <div className="empty">
            <h2>{text.noCollections}</h2>
            <p>{text.noCollectionsHint}</p>
          </div>
        ) : (
          <>
            <p className="toolbar">{text.chooseCollection}</p>
            <ul className="cards home-cards">
              {collections.map(({ name, title, note }) => (
                <li key={name}>
                  <Link href={`/c/${encodeURIComponent(name)}`}>
                    <strong>{title}</strong>
                    {note !== null && <span className="hint">{note}</span>}
                  </Link>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  );
}
