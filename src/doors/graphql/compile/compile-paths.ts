// Translates paths in `sort` and `groupBy` from GraphQL names to names of the database, and back. The input type of the filter argument, which
// every list has, knows both.

import { type GraphQLField, type GraphQLInputObjectType, type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql';
import { escapeName } from '../../../core/query/escape-name.js';
import { resultKey } from '../../../core/query/field-ref.js';
import type { Path } from '../../../core/query/query.js';
import { filterMeaning } from '../schema/types/meanings.js';

type Field = GraphQLField<unknown, unknown>;

/** Leaves anything but a list of texts to the parser of queries, which refuses it. */
export function compilePaths(field: Field, value: unknown): unknown {
  const filter = filterOf(field);
  if (filter === null || !Array.isArray(value)) return value;
  return value.map((path: unknown) => (typeof path === 'string' ? compilePath(filter, path) : path));
}

/** A sign of descending order and a function may surround the names: `-year(published_on)`. */
const pathForm = /^(-?(?:\w+\()?)([\w.]+)(.*)$/s;

function compilePath(filter: GraphQLInputObjectType, path: string): string {
  const [, before, names, after] = pathForm.exec(path.trim()) ?? [];
  if (before === undefined || names === undefined || after === undefined || (after !== '' && !/^[,)]/.test(after))) return path;
  let level: GraphQLInputObjectType | null = filter;
  const steps = names.split('.').map((step) => {
    const entry = level?.getFields()[step];
    const meaning = entry === undefined ? null : filterMeaning(entry);
    // An unknown first step is a function of an aggregate, followed by its field.
    if (entry === undefined || meaning === null) return step;
    level = inputOf(entry.type);
    return meaning.field === step ? step : escapeName(meaning.field);
  });
  return `${before}${steps.join('.')}${after}`;
}

/** The key of a group, in GraphQL names. */
export function nameOfPath(field: Field, path: Path): string {
  let level = filterOf(field);
  const keys = path.map((step) => {
    const entry = Object.values(level?.getFields() ?? {}).find((candidate) => {
      const meaning = filterMeaning(candidate);
      return meaning !== null && meaning.kind !== 'functions' && meaning.field === step.name;
    });
    level = entry === undefined ? null : inputOf(entry.type);
    return resultKey({ ...step, name: entry?.name ?? step.name });
  });
  return keys.join('.');
}

function filterOf(field: Field): GraphQLInputObjectType | null {
  const argument = field.args.find(({ name }) => name === 'filter');
  return argument === undefined ? null : inputOf(argument.type);
}

function inputOf(type: GraphQLInputType): GraphQLInputObjectType | null {
  const named = getNamedType(type);
  return isInputObjectType(named) ? named : null;
}
