// What anybody may read without signing in: one switch for each collection, with what it opens said before it is opened.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Link } from 'wouter';
import { graphql, request, search } from '../api/client.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { Icon } from '../primitives/icon.js';
import type { Collection } from '../schema/model.js';
import { useSeeAs } from '../see-as/use-see-as.js';
import { itemsPath, useStudio } from '../studio-context.js';
import { useLanguage, useText } from '../text/use-text.js';
import { attach, type Named, type StoredPermission, useAccessText } from './access-data.js';
import { AccessHead, Failed } from './access-head.js';
import { offeredFields } from './field-choice.js';
import { levelOf, unlimited } from './permission-level.js';
import { useChange } from './use-change.js';

interface OpenPolicy extends Named {
  readonly permissions: readonly StoredPermission[];
}

const publicRequest = {
  document: `{
  access(limit: -1, filter: { role: { id: { _null: true } }, user: { id: { _null: true } } }) {
    policy { id name permissions(limit: -1, filter: { action: { _eq: "read" } }) { id collection action permissions validation presets fields } }
  }
}`,
};

export function PublicPage() {
  const access = useAccessText();
  const seeAs = useSeeAs();
  const { schema } = useStudio().boot;
  const { data, error } = useQuery({
    queryKey: ['access', 'public'],
    queryFn: async () =>
      (await graphql<{ readonly access: readonly { readonly policy: OpenPolicy }[] }>(publicRequest.document)).access.map(
        ({ policy }) => policy,
      ),
  });
  const collections = [...schema.values()]
    .filter(({ isFolder, isSystem }) => !isFolder && !isSystem)
    .toSorted((left, right) => left.title.localeCompare(right.title));
  return (
    <>
      <AccessHead request={publicRequest}>
        <button
          type="button"
          className="button"
          aria-label={access.seeAsPerson(access.public)}
          onClick={() => seeAs({ target: 'public', name: access.public }, '/')}
        >
          <Icon name="eye" />
          <span className="wide-label">{access.seeAsPerson(access.public)}</span>
        </button>
      </AccessHead>
      <div className="scroll access-page">
        <p className="hint">{access.publicHint}</p>
        <Failed error={error} />
        {data !== undefined && (
          <ul className="public-list">
            {collections.map((collection) => (
              <PublicRow key={collection.name} collection={collection} policies={data} />
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

function PublicRow({ collection, policies }: { readonly collection: Collection; readonly policies: readonly OpenPolicy[] }) {
  const access = useAccessText();
  const [asks, setAsks] = useState(false);
  const change = useChange();
  const { title, name } = collection;
  const present = policies.flatMap(({ permissions }) => permissions).filter((permission) => permission.collection === name);
  const level = levelOf(present);
  const limited = policies.find(({ permissions }) => permissions.some((permission) => permission.collection === name));
  const openIt = () => {
    setAsks(false);
    void change(async () => {
      const policy = policies[0]?.id ?? (await makePolicy(access.public));
      const { data } = await request<StoredPermission>('POST', '/permissions', { body: { policy, ...unlimited(name, 'read') } });
      return () => request('DELETE', `/permissions/${data.id}`);
    }, access.opened(title));
  };
  const closeIt = () => {
    setAsks(false);
    void change(async () => {
      await request('DELETE', '/permissions', { body: present.map(({ id }) => id) });
      const policyOf = (id: number) => policies.find(({ permissions }) => permissions.some((each) => each.id === id))?.id;
      return () =>
        request('POST', '/permissions', { body: present.map(({ id, ...permission }) => ({ policy: policyOf(id), ...permission })) });
    }, access.closed(title));
  };
  return (
    <li>
      <span className="public-name">
        <strong>{title}</strong>
        <span className={`hint ${level === 'none' ? '' : 'is-open'}`}>
          {{ none: access.isClosed, some: access.isLimited, all: access.isOpen }[level]}
          {level === 'some' && limited !== undefined && (
            <>
              {' · '}
              <Link href={`/policies/${limited.id}`}>{access.limits}</Link>
            </>
          )}
        </span>
      </span>
      <label className="toggle">
        <input
          type="checkbox"
          role="switch"
          aria-checked={level !== 'none'}
          aria-label={`${access.openToPublic}: ${title}`}
          checked={level !== 'none'}
          onChange={() => setAsks(true)}
        />
        <span aria-hidden="true" />
      </label>
      {asks && level === 'none' && <OpenDialog collection={collection} onConfirm={openIt} onCancel={() => setAsks(false)} />}
      {asks && level !== 'none' && (
        <ConfirmDialog
          title={access.closeAsk(title)}
          hint={access.closeHint}
          action={access.closeAction(title)}
          onConfirm={closeIt}
          onCancel={() => setAsks(false)}
        />
      )}
    </li>
  );
}

/** The public has no policy yet: it gets one. */
async function makePolicy(name: string): Promise<string> {
  const { data } = await request<Named>('POST', '/policies', { body: { name, icon: 'public' } });
  await attach(null, data.id);
  return data.id;
}

interface OpenDialogProps {
  readonly collection: Collection;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

function OpenDialog({ collection, onConfirm, onCancel }: OpenDialogProps) {
  const text = useText();
  const access = useAccessText();
  const { number } = useLanguage();
  const { data: count } = useQuery({
    queryKey: ['count', collection.name, 'all'],
    queryFn: async () => {
      const { data } = await search<readonly { readonly count: number | string }[]>(itemsPath(collection), { aggregate: { count: '*' } });
      return Number(data[0]?.count ?? 0);
    },
  });
  const fields = offeredFields(collection);
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => !open && onCancel()}>
      <Modal>
        <Dialog className="dialog" role="alertdialog">
          <Heading slot="title" level={2}>
            {access.openAsk(collection.title)}
          </Heading>
          <p>{access.opens(count === undefined ? '…' : number.format(count), collection.title)}</p>
          <p className="opened-fields">
            {fields.map(({ name, title }) => (
              <span key={name} className="badge plain">
                {title}
              </span>
            ))}
          </p>
          {fields.some(({ relation }) => relation !== null) && <p className="hint">{access.alsoRelated}</p>}
          <div className="dialog-actions">
            <button type="button" className="button" onClick={onCancel}>
              {text.cancel}
            </button>
            <button type="button" className="button primary" onClick={onConfirm}>
              {access.openAction(collection.title)}
            </button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
