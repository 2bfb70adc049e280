// What people say about an item, oldest first, and where to answer. It follows what others write.

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { relativeText } from '../displays/show-value.js';
import { follow } from '../live/live-socket.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { FailedRead } from '../primitives/failed-read.js';
import { Icon } from '../primitives/icon.js';
import { SideDrawer } from '../primitives/side-drawer.js';
import { showToast } from '../primitives/toasts.js';
import { systemCollection } from '../schema/model.js';
import { namingFields, type Person, personName } from '../schema/person.js';
import { useMay, useStudio } from '../studio-context.js';
import { useLanguage } from '../text/use-text.js';
import { Composer, forget, isKept } from './composer.js';
import { draftOf, mentionedUsers, piecesOf } from './mentions.js';
import {
  addComment,
  type Comment,
  changeComment,
  deleteComment,
  newestOf,
  readComments,
  type Subject,
  usePeople,
  useTalkText,
} from './talk-data.js';

interface CommentsDrawerProps extends Subject {
  readonly onClose: () => void;
}

const pageSize = 50;

export function CommentsDrawer({ collection, item, onClose }: CommentsDrawerProps) {
  const text = useTalkText();
  const { me, permissions } = useStudio().boot;
  const may = useMay();
  const mayWrite = may('comments', 'create');
  const [limit, setLimit] = useState(pageSize);
  const subject = useMemo(() => ({ collection, item }), [collection, item]);
  const { data, error } = useQuery({
    queryKey: [...commentsKey(subject), limit],
    queryFn: ({ signal }) => readComments(subject, namingFields(permissions), limit, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const again = useReadAgain(subject);
  useLiveComments(subject, data, again);
  const people = usePeople(useMemo(() => mentionedUsers((data ?? []).map(({ comment }) => comment).join('\n')), [data]));
  const end = useEndInSight(data?.at(-1)?.id);
  const composer = mayWrite && (
    <Composer
      place={`draft:${me.id}:comments:${collection}/${item}`}
      label={text.write}
      action={text.send}
      onSend={async (comment) => {
        await addComment(subject, comment);
        await again();
      }}
    />
  );
  return (
    <SideDrawer title={text.comments} foot={composer === false ? undefined : composer} onClose={onClose}>
      <FailedRead what={text.failed} error={data === undefined ? error : null} />
      {data?.length === 0 && (
        <div className="empty">
          <Icon name="comment" />
          <h3>{text.noComments}</h3>
          <p>{mayWrite ? text.noCommentsHint : text.noCommentsReading}</p>
        </div>
      )}
      {data?.length === limit && (
        <button type="button" className="button" onClick={() => setLimit(limit + pageSize)}>
          {text.older}
        </button>
      )}
      {data !== undefined && data.length > 0 && (
        <ol className="talk" aria-label={text.comments}>
          {data.map((comment) => (
            <Entry key={comment.id} comment={comment} people={people} onChanged={again} />
          ))}
        </ol>
      )}
      <div ref={end} />
    </SideDrawer>
  );
}

const commentsKey = ({ collection, item }: Subject): readonly string[] => ['comments', collection, item];

function useReadAgain(subject: Subject): () => Promise<void> {
  const cache = useQueryClient();
  return useMemo(() => () => cache.invalidateQueries({ queryKey: commentsKey(subject) }), [cache, subject]);
}

/** Reads the comments again when somebody writes, changes or deletes one. */
function useLiveComments({ collection, item }: Subject, shown: readonly Comment[] | undefined, again: () => Promise<void>): void {
  const { schema, isLive } = useStudio().boot;
  const name = systemCollection(schema, 'comments')?.name;
  const [initial, setInitial] = useState<string | null>(null);
  useEffect(() => {
    if (!isLive || name === undefined) return;
    const query = { ...newestOf({ collection, item }), fields: ['id', 'comment'], limit: pageSize };
    return follow({ collection: name, query }, ({ event, data }) => {
      if (event === 'init') setInitial(gist((data as readonly Comment[]).toReversed()));
      else if (event !== 'end') void again();
    });
  }, [isLive, name, collection, item, again]);
  // A comment that was written between the read and the start of the subscription would be missing.
  useEffect(() => {
    if (initial === null || shown === undefined) return;
    setInitial(null);
    if (gist(shown.slice(-pageSize)) !== initial) void again();
  }, [initial, shown, again]);
}

const gist = (comments: readonly Comment[]): string => JSON.stringify(comments.map(({ id, comment }) => [id, comment]));

/** Brings the end of the list into sight when there is a new last entry. */
function useEndInSight(last: string | undefined) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (last !== undefined) end.current?.scrollIntoView({ block: 'end' });
  }, [last]);
  return end;
}

interface EntryProps {
  readonly comment: Comment;
  readonly people: ReadonlyMap<string, Person>;
  readonly onChanged: () => Promise<void>;
}

function Entry({ comment, people, onChanged }: EntryProps) {
  const text = useTalkText();
  const language = useLanguage();
  const { me } = useStudio().boot;
  const place = `draft:${me.id}:comment:${comment.id}`;
  const isOwn = comment.user_created?.id === me.id;
  const [isEdited, setEdited] = useState(() => isOwn && isKept(place));
  const name = isOwn ? text.you : comment.user_created ? personName(comment.user_created) : text.someone;
  const moment = comment.date_created === null ? null : new Date(comment.date_created);
  const stopEditing = () => {
    forget(place);
    setEdited(false);
  };
  return (
    <li className="talk-entry">
      <header>
        <h3>{name}</h3>
        <span className="hint">
          {moment !== null && <time title={language.dateTime.format(moment)}>{relativeText(language, moment)}</time>}
          {comment.date_updated !== null && comment.date_updated !== comment.date_created && ` · ${text.edited}`}
        </span>
        {!isEdited && <Actions comment={comment} isOwn={isOwn} onEdit={() => setEdited(true)} onChanged={onChanged} />}
      </header>
      {isEdited ? (
        <Composer
          place={place}
          label={text.editComment}
          action={text.save}
          initial={draftOf(comment.comment, people)}
          isFocused
          onSend={async (changed) => {
            await changeComment(comment.id, changed);
            await onChanged();
            setEdited(false);
          }}
        >
          <button type="button" className="button quiet" onClick={stopEditing}>
            {text.cancel}
          </button>
        </Composer>
      ) : (
        <p className="talk-text" dir="auto">
          {piecesOf(comment.comment).map(({ text: piece, user }, index) =>
            user === null ? (
              piece
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other identity
              <bdi key={index} className="mention">
                @{mentionName(user, people, text.somebody)}
              </bdi>
            ),
          )}
        </p>
      )}
    </li>
  );
}

function mentionName(user: string, people: ReadonlyMap<string, Person>, otherwise: string): string {
  const person = people.get(user);
  return person === undefined ? otherwise : personName(person);
}

interface ActionsProps {
  readonly comment: Comment;
  readonly isOwn: boolean;
  readonly onEdit: () => void;
  readonly onChanged: () => Promise<void>;
}

/** People change what they wrote themselves; administrators may remove what others wrote. */
function Actions({ comment, isOwn, onEdit, onChanged }: ActionsProps) {
  const text = useTalkText();
  const { isAdmin } = useStudio().boot;
  const may = useMay();
  const [asks, setAsks] = useState(false);
  const remove = async () => {
    setAsks(false);
    await deleteComment(comment.id).catch((failure: unknown) => showToast(failure instanceof Error ? failure.message : text.failed));
    await onChanged();
  };
  return (
    <>
      {isOwn && may('comments', 'update') && (
        <button type="button" className="button quiet icon-only" aria-label={text.editComment} title={text.edit} onClick={onEdit}>
          <Icon name="edit" />
        </button>
      )}
      {(isOwn || isAdmin) && may('comments', 'delete') && (
        <button
          type="button"
          className="button quiet icon-only"
          aria-label={text.deleteComment}
          title={text.deleteComment}
          onClick={() => setAsks(true)}
        >
          <Icon name="trash" />
        </button>
      )}
      {asks && (
        <ConfirmDialog
          title={text.deleteCommentTitle}
          hint={text.deleteCommentHint}
          action={text.deleteComment}
          onConfirm={() => void remove()}
          onCancel={() => setAsks(false)}
        />
      )}
    </>
  );
}
