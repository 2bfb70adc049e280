// A filter of the API as the builder edits it: groups of conditions. Every filter reads into a tree and prints back; what the builder cannot
// show (an operator that takes an object, a condition without a value) stays as it is. Pure, imports no framework.

import { isTyped } from '../schema/typed.js';

export interface FilterGroup {
  readonly kind: 'group';
  readonly join: '_and' | '_or';
  readonly nodes: readonly FilterNode[];
}

export interface FilterCondition {
  readonly kind: 'condition';
  /** Names of fields from the list's collection on. `_none` behind a list of items: no item of it matches. */
  readonly path: readonly string[];
  /** Empty while it is to be chosen. */
  readonly operator: string;
  readonly value: unknown;
}

/** A part of a filter that the builder only keeps. */
interface KeptFilter {
  readonly kind: 'kept';
  readonly filter: unknown;
}

export type FilterNode = FilterGroup | FilterCondition | KeptFilter;
export type ApiFilter = Readonly<Record<string, unknown>>;

export const noFilter: FilterGroup = { kind: 'group', join: '_and', nodes: [] };

const unary = new Set(['_null', '_nnull', '_empty', '_nempty']);
const lists = new Set(['_in', '_nin']);
const pairs = new Set(['_between', '_nbetween']);

/** What an operator takes beside the field. */
export function operandOf(operator: string): 'none' | 'one' | 'list' | 'pair' {
  if (unary.has(operator)) return 'none';
  if (lists.has(operator)) return 'list';
  return pairs.has(operator) ? 'pair' : 'one';
}

/** The root is always a group, so that there is a place for the next condition. */
export function readFilter(filter: unknown): FilterGroup {
  const nodes = readNodes(filter, []);
  const [only] = nodes;
  return nodes.length === 1 && only?.kind === 'group' ? only : { kind: 'group', join: '_and', nodes };
}

function readNodes(filter: unknown, path: readonly string[]): readonly FilterNode[] {
  if (!isObject(filter)) return [];
  return Object.entries(filter).flatMap(([name, operand]) => readEntry(name, operand, path));
}

function readEntry(name: string, operand: unknown, path: readonly string[]): readonly FilterNode[] {
  if ((name === '_and' || name === '_or') && Array.isArray(operand)) {
    const parts = operand.map((each) => asOne(readNodes(each, path), path, each));
    const nodes = parts.flat();
    // "Some item is A or B" equals "some item is A, or some item is B", so the conditions can be separated. "No item is A or B" cannot.
    const isApart = nodes.length < 2 || (name === '_or' ? !path.includes('_none') : path.length === 0);
    // "All of nothing" says nothing, "any of nothing" matches no item, and "any of these or everything" every one.
    const isOdd = name === '_or' && (nodes.length === 0 || parts.some((part) => part.length === 0));
    if (!isApart || isOdd) return [keep(path, name, operand)];
    return nodes.length === 0 ? [] : [{ kind: 'group', join: name, nodes }];
  }
  if (name === '_some') {
    const nodes = readNodes(operand, path);
    return nodes.length === 0 ? [keep(path, name, operand)] : nodes;
  }
  if (name === '_none') return readBelow(name, operand, path, [...path, name]);
  if (name.startsWith('_')) {
    // A flag set to false means the opposite operator.
    const isOff = unary.has(name) && (operand === false || operand === 'false');
    const operator = isOff ? opposite(name) : name;
    return [keptUnlessComplete({ kind: 'condition', path, operator, value: unary.has(name) ? true : operand }, keep(path, name, operand))];
  }
  if (isObject(operand)) return readBelow(name, operand, path, [...path, name]);
  return [keptUnlessComplete({ kind: 'condition', path: [...path, name], operator: '_eq', value: operand }, keep(path, name, operand))];
}

/** What is asked of the items that a name leads to. "There is one at all" has no condition of its own. */
function readBelow(name: string, operand: unknown, path: readonly string[], below: readonly string[]): readonly FilterNode[] {
  const nodes = readNodes(operand, below);
  return nodes.length === 0 ? [keep(path, name, operand)] : asOne(nodes, below, operand);
}

const keep = (path: readonly string[], name: string, operand: unknown): KeptFilter => ({
  kind: 'kept',
  filter: wrap(path, { [name]: operand }),
});

/** A stored condition that the builder would call unfinished means something: "is null", "is one of none", "is the empty text". */
const keptUnlessComplete = (condition: FilterCondition, kept: KeptFilter): FilterNode =>
  isComplete(condition) && !isObject(condition.value) ? condition : kept;

const opposite = (operator: string): string =>
  operator.startsWith('_n') && operator !== '_null' ? `_${operator.slice(2)}` : `_n${operator.slice(1)}`;

/**
 * Several conditions side by side must all hold. Behind a relation they apply to the same item of a list; as separate conditions each could
 * hold for another item, so they are kept together.
 */
function asOne(nodes: readonly FilterNode[], path: readonly string[], filter: unknown): readonly FilterNode[] {
  if (nodes.length < 2) return nodes;
  const isPlain = path.length === 0 || nodes.every((node) => node.kind === 'condition' && node.path.length === 1);
  return isPlain ? [{ kind: 'group', join: '_and', nodes }] : [{ kind: 'kept', filter: wrap(path, filter as ApiFilter) }];
}

/**
 * Undefined when nothing is filtered. Conditions that still lack a value are left out: a list may follow while one is typed, but what is
 * stored has to be finished (`isFinished`).
 */
export const printFilter = (root: FilterGroup): ApiFilter | undefined => printNode(root);

function printNode(node: FilterNode): ApiFilter | undefined {
  if (node.kind === 'kept') return isObject(node.filter) ? node.filter : undefined;
  if (node.kind === 'condition') return isComplete(node) ? wrap(node.path, { [node.operator]: node.value }) : undefined;
  const parts = node.nodes.map(printNode).filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : { [node.join]: parts };
}

const wrap = (path: readonly string[], inner: ApiFilter): ApiFilter =>
  path.reduceRight<ApiFilter>((filter, name) => ({ [name]: filter }), inner);

/** Whether a condition says enough to be sent. */
export function isComplete({ path, operator, value }: FilterCondition): boolean {
  if (path.length === 0 || operator === '') return false;
  switch (operandOf(operator)) {
    case 'none':
      return true;
    case 'list':
      return Array.isArray(value) && value.length > 0 && value.every(isGiven);
    case 'pair':
      return Array.isArray(value) && value.length === 2 && value.every(isGiven);
    default:
      return isGiven(value);
  }
}

const isGiven = (value: unknown): boolean => value !== null && value !== undefined && value !== '' && !isTyped(value);

/** Whether a node says all that it shows: no condition lacks its value, and no group is empty. */
export function isFinished(node: FilterNode): boolean {
  if (node.kind === 'group') return node.nodes.length > 0 && node.nodes.every(isFinished);
  return node.kind === 'kept' || isComplete(node);
}

/** Conditions in the tree, those in groups included. */
export const conditionsIn = (node: FilterNode): readonly FilterCondition[] =>
  node.kind === 'group' ? node.nodes.flatMap(conditionsIn) : node.kind === 'condition' ? [node] : [];

/** The group with the node at a place of it replaced, or removed. */
export function replaceNode(group: FilterGroup, index: number, node: FilterNode | null): FilterGroup {
  return { ...group, nodes: node === null ? group.nodes.toSpliced(index, 1) : group.nodes.with(index, node) };
}

const isObject = (value: unknown): value is ApiFilter => typeof value === 'object' && value !== null && !Array.isArray(value);
