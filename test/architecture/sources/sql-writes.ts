import ts from 'typescript';
import { nodesOf, parse } from './sources.js';

/** A write in the source of a file. */
export interface SqlWrite {
  verb: 'insert' | 'update' | 'delete';
  table: string;
}

const PATTERNS: [SqlWrite['verb'], RegExp][] = [
  ['insert', /\binsert\s+into\s+(?:public\.)?([a-z_]+)/gi],
  ['update', /\bupdate\s+(?:only\s+)?(?:public\.)?([a-z_]+)(?:\s+(?:as\s+)?(?!set\b)[a-z]\w*)?\s+set\b/gi],
  ['delete', /\bdelete\s+from\s+(?:only\s+)?(?:public\.)?([a-z_]+)/gi],
];

const MANAGER_VERBS: Record<string, SqlWrite['verb']> = {
  insert: 'insert',
  update: 'update',
  delete: 'delete',
  save: 'update',
  upsert: 'insert',
};

/** All SQL writes in the strings of a file, and all writes of entities through an entity manager. */
export const writesOf = (path: string): SqlWrite[] => writesIn(parse(path));

/** The writes in a part of a file. */
export const writesIn = (node: ts.Node): SqlWrite[] => [...inStrings(node), ...byManager(node)];

function inStrings(root: ts.Node): SqlWrite[] {
  const isText = (node: ts.Node): node is ts.StringLiteralLike | ts.TemplateExpression =>
    ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
  const texts = nodesOf(root, isText).map((node) => node.getText());
  return texts.flatMap((text) =>
    PATTERNS.flatMap(([verb, pattern]) =>
      [...text.matchAll(pattern)].map((match) => ({ verb, table: (match[1] ?? '').toLowerCase() })),
    ),
  );
}

function byManager(root: ts.Node): SqlWrite[] {
  return nodesOf(root, ts.isCallExpression).flatMap(({ expression, arguments: [entity] }) => {
    if (!ts.isPropertyAccessExpression(expression) || !expression.expression.getText().endsWith('manager')) return [];
    const verb = MANAGER_VERBS[expression.name.text];
    return verb && entity ? [{ verb, table: tableOf(entity.getText()) }] : [];
  });
}

/** By convention a table has the plural name of its entity. A name without a table fails the calling test. */
const tableOf = (entity: string): string => `${entity.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase()}s`;
