import ts from 'typescript';
import { nodesOf, parse, sourcesUnder } from './sources.js';
import { entityOf, isRepository } from './typeorm-methods.js';

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

const REPOSITORY_VERBS: Record<string, SqlWrite['verb']> = { insert: 'insert', update: 'update', delete: 'delete' };

/** All SQL writes in the strings of a file, and all writes through TypeORM. */
export const writesOf = (path: string): SqlWrite[] => writesIn(parse(path));

/** The writes in a part of a file. */
export const writesIn = (node: ts.Node): SqlWrite[] => [...inStrings(node), ...throughTypeorm(node)];

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

function throughTypeorm(root: ts.Node): SqlWrite[] {
  return nodesOf(root, ts.isPropertyAccessExpression).flatMap(({ expression, name }) => {
    const verb = REPOSITORY_VERBS[name.text];
    return verb && isRepository(expression) ? [{ verb, table: tableOf(entityOf(expression)) }] : [];
  });
}

const TABLES = new Map(
  sourcesUnder('libs/persistence/src')
    .filter((path) => path.endsWith('.entity.ts'))
    .flatMap((path) => nodesOf(parse(path), ts.isClassDeclaration))
    .map((entity) => [entity.name?.text ?? '', /@Entity\('(\w+)'\)/.exec(entity.getText())?.[1] ?? '']),
);

/** The table of an entity. A name without a table fails the calling test. */
const tableOf = (entity: string): string => TABLES.get(entity) ?? entity;
