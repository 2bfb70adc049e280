// Who may do what with an item: the administrator names somebody, and each action and field is explained.

import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { graphql } from '../api/client.js';
import { Icon } from '../primitives/icon.js';
import { SideDrawer } from '../primitives/side-drawer.js';
import { addressKey } from '../schema/item-key.js';
import type { Collection } from '../schema/model.js';
import { type Person, personName } from '../schema/person.js';
import { useExplanation, useSeeAsText } from './explain.js';
import { useSeeAs } from './use-see-as.js';
import { Why } from './why.js';
import './see-as.css';

interface ItemAccessProps {
  readonly collection: Collection;
  readonly itemKey: string;
  readonly onClose: () => void;
}

interface Everybody {
  readonly users: readonly Person[];
  readonly roles: readonly { readonly id: string; readonly name: string }[];
}

const everybody = `{
  users(limit: 200, sort: ["first_name", "email"], filter: { status: { _eq: "active" } }) { id first_name last_name email }
  roles(limit: -1, sort: ["name"]) { id name }
}`;

const shownActions = ['read', 'update', 'delete', 'share'] as const;

export function ItemAccess({ collection, itemKey, onClose }: ItemAccessProps) {
  const text = useSeeAsText();
  const id = useId();
  const [target, setTarget] = useState('');
  const { data } = useQuery({ queryKey: ['access', 'everybody'], queryFn: () => graphql<Everybody>(everybody) });
  const seeAs = useSeeAs();
  const nameOf = (chosen: string): string => {
    const user = data?.users.find((each) => `user:${each.id}` === chosen);
    return user === undefined ? (data?.roles.find((each) => `role:${each.id}` === chosen)?.name ?? text.public) : personName(user);
  };
  return (
    <SideDrawer title={text.whoMay} onClose={onClose}>
      <div>
        <label className="label" htmlFor={id}>
          {text.person}
        </label>
        <select id={id} className="input" value={target} onChange={(event) => setTarget(event.target.value)}>
          <option value="">{text.choosePerson}</option>
          <option value="public">{text.public}</option>
          <optgroup label={text.roles}>
            {data?.roles.map((role) => (
              <option key={role.id} value={`role:${role.id}`}>
                {role.name}
              </option>
            ))}
          </optgroup>
          <optgroup label={text.people}>
            {data?.users.map((person) => (
              <option key={person.id} value={`user:${person.id}`}>
                {personName(person)}
              </option>
            ))}
          </optgroup>
        </select>
      </div>
      {target !== '' && (
        <>
          {shownActions.map((action) => (
            <ActionAccess key={action} target={target} action={action} collection={collection} itemKey={itemKey} />
          ))}
          <FieldAccess key={target} target={target} collection={collection} itemKey={itemKey} />
          <button
            type="button"
            className="button"
            onClick={() => seeAs({ target, name: nameOf(target) }, `/c/${encodeURIComponent(collection.name)}/${addressKey(itemKey)}`)}
          >
            <Icon name="eye" />
            {text.seeAsPerson(nameOf(target))}
          </button>
        </>
      )}
    </SideDrawer>
  );
}

interface ActionAccessProps {
  readonly target: string;
  readonly action: (typeof shownActions)[number];
  readonly collection: Collection;
  readonly itemKey: string;
}

function ActionAccess({ target, action, collection, itemKey }: ActionAccessProps) {
  const text = useSeeAsText();
  const question = { as: target, collection: collection.name, action, item: itemKey };
  const { data } = useExplanation(question);
  return (
    <details className="section action-access">
      <summary>
        {text.actions[action]}
        {data !== undefined && (
          <span className={`badge ${data.allowed ? 'green' : 'plain'}`}>{data.allowed ? text.allowed : text.refused}</span>
        )}
      </summary>
      <div className="action-why">
        <Why collection={collection} question={question} />
      </div>
    </details>
  );
}

/** One question at a time: the field that is pointed at. */
function FieldAccess({ target, collection, itemKey }: Omit<ActionAccessProps, 'action'>) {
  const text = useSeeAsText();
  const [asked, setAsked] = useState<string | null>(null);
  const { data } = useExplanation({ as: target, collection: collection.name, action: 'read', item: itemKey });
  const isOpen = (name: string): boolean =>
    data?.reason === 'administrator' ||
    data?.permissions.some(({ covers_item, fields }) => covers_item !== false && (fields.includes('*') || fields.includes(name))) === true;
  return (
    <section>
      <h3>{text.fields}</h3>
      <ul className="hidden-list">
        {collection.fields
          .filter(({ special }) => !special.includes('no-data'))
          .map(({ name, title }) => (
            <li key={name}>
              <div className="hidden-row">
                <span className="cut">{title}</span>
                {data !== undefined && (
                  <span className={`badge ${isOpen(name) ? 'green' : 'plain'}`}>{isOpen(name) ? text.allowed : text.refused}</span>
                )}
                {asked !== name && (
                  <button type="button" className="button quiet small" aria-label={`${text.why} ${title}`} onClick={() => setAsked(name)}>
                    {text.why}
                  </button>
                )}
              </div>
              {asked === name && (
                <Why collection={collection} question={{ as: target, collection: collection.name, item: itemKey, field: name }} />
              )}
            </li>
          ))}
      </ul>
    </section>
  );
}
