// Why somebody may or may not do something, in words: the reason, and what each policy says about it.

import { Link } from 'wouter';
import { describeNode } from '../filter/describe-filter.js';
import type { Collection } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import { useStudio } from '../studio-context.js';
import { useLanguage } from '../text/use-text.js';
import { type ExplainedPermission, type Question, useExplanation, useSeeAsText } from './explain.js';

export function Why({ question, collection }: { readonly question: Question; readonly collection: Collection }) {
  const text = useSeeAsText();
  const { data, error } = useExplanation(question);
  if (error !== null) return <p className="refusal">{error.message}</p>;
  if (data === undefined) return <p className="hint">{text.explaining}</p>;
  return (
    <div className="why" role="status">
      <p>
        <strong>{text.reasons[data.reason]}</strong>
      </p>
      <ul>
        {data.permissions.map((permission, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index}>
            <PermissionWords permission={permission} collection={collection} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function PermissionWords({ permission, collection }: { readonly permission: ExplainedPermission; readonly collection: Collection }) {
  const text = useSeeAsText();
  const language = useLanguage();
  const { boot } = useStudio();
  const schema = boot.seen?.whole ?? boot.schema;
  const whole = schema.get(collection.name) ?? collection;
  const titleOf = (name: string): string => whole.fieldsByName.get(name)?.title ?? name;
  const { policy, fields, failed } = permission;
  const name = text.policySays(policy.name ?? text.noName);
  const words = { schema, language, titleOf: (_: string, key: unknown) => plainText(key) };
  return (
    <>
      {boot.seen === null ? <Link href={`/policies/${policy.id}`}>{name}</Link> : <span>{name}</span>}{' '}
      {permission.id === null && text.fromApp}{' '}
      {permission.covers_field === false && (fields.length === 0 ? '' : text.opensFields(fields.map(titleOf).join(', ')))}
      {failed.map(({ path, field, operator, operand, value }) => (
        <span key={`${path.join('.')}.${field}.${operator}`} className="why-condition">
          {text.wants(describeNode(words, whole, { kind: 'condition', path: [...path, field], operator, value: operand }))},{' '}
          {text.butIs(value === null || value === '' ? text.nothingThere : `“${plainText(value)}”`)}
        </span>
      ))}
      {permission.covers_field !== false && failed.length === 0 && permission.covers_item !== null && (
        <span>{permission.covers_item ? text.covered : text.notCovered}</span>
      )}
    </>
  );
}
