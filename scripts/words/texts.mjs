// The texts for users: descriptions and summaries of both APIs, and the texts of errors.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../build-stamp.mjs';

const APPS = ['main-api', 'supervisor'];
const NOT_SHIPPED = /\.(spec|matrix|proof|fixture|story|attack|timing)\.ts$|^libs\/testing\//;

/** Each text once, with its first place. */
export function apiTexts() {
  const found = new Map();
  const walk = (value, where) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if ((name === 'description' || name === 'summary') && typeof inner === 'string') {
        if (!found.has(inner)) found.set(inner, where);
      } else walk(inner, `${where}/${name}`);
    }
  };
  for (const app of APPS) walk(JSON.parse(readFileSync(join(ROOT, `contract/openapi.${app}.json`), 'utf8')), app);
  return [...found].map(([text, where]) => ({ text, where }));
}

/** Details and reasons of errors, from the sources. */
export function errorTexts() {
  const texts = [];
  for (const file of ['apps', 'libs'].flatMap((folder) => sourcesBelow(join(ROOT, folder)))) {
    const where = relative(ROOT, file);
    if (NOT_SHIPPED.test(where)) continue;
    const source = readFileSync(file, 'utf8');
    if (!/DomainError|reason:|spec\(/.test(source)) continue;
    texts.push(
      ...textsIn(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)).map((text) => ({ text, where })),
    );
  }
  return texts;
}

const sourcesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));

function textsIn(file) {
  const texts = [];
  const visit = (node) => {
    const isError = ts.isNewExpression(node) && node.expression.getText(file) === 'DomainError';
    const isSpec = ts.isCallExpression(node) && node.expression.getText(file) === 'spec';
    if (isError || isSpec) texts.push(...(node.arguments ?? []).slice(1).flatMap((one) => textOf(one, file)));
    if (ts.isPropertyAssignment(node) && node.name.getText(file) === 'reason')
      texts.push(...textOf(node.initializer, file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts.filter((text) => text.includes(' '));
}

function textOf(node, file) {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) return [node.getText(file).slice(1, -1)];
  if (ts.isConditionalExpression(node)) return [...textOf(node.whenTrue, file), ...textOf(node.whenFalse, file)];
  return [];
}
