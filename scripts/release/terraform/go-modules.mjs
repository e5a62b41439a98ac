// The modules of Go inside of programs, with their licences.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReleaseRefused } from '../release-facts.mjs';

const TEXT = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;
/** A sentence of each licence, by its identifier of SPDX. */
const LICENCES = [
  ['MPL-2.0', /Mozilla Public License,? version 2\.0/i],
  ['Apache-2.0', /Apache License,?\s+Version 2\.0/],
  ['BSD-3-Clause', /Neither the names? of/],
  ['BSD-2-Clause', /Redistributions in binary form must reproduce/],
  ['MIT', /Permission is hereby granted, free of charge/],
  ['ISC', /Permission to use, copy, modify, and(?:\/or)? distribute/],
];

/** The modules in at least one of the programs, as sbomOf takes them, and the standard library. `folder` has their go.mod. @throws ReleaseRefused */
export function modulesOf(programs, folder) {
  const go = (...args) => execFileSync('go', args, { cwd: folder, encoding: 'utf8' }).trim();
  const lines = programs.flatMap((path) => go('version', '-m', path).split('\n'));
  const names = new Set(lines.flatMap((line) => /^\s*dep\t(\S+)\t/.exec(line)?.[1] ?? []));
  const listed = [...names]
    .sort()
    .map((name) => go('list', '-m', '-f', '{{.Path}} {{.Version}} {{.Dir}}', name).split(' '));
  const library = ['std', go('env', 'GOVERSION').replace('go', ''), go('env', 'GOROOT')];
  return [...listed, library].map(([name, version, ...path]) => moduleOf(name, version, path.join(' ')));
}

function moduleOf(name, version, folder) {
  const texts = readdirSync(folder)
    .filter((one) => TEXT.test(one))
    .sort()
    .map((one) => readFileSync(join(folder, one), 'utf8').replaceAll('\r\n', '\n').trim());
  const license = LICENCES.find(([, sentence]) => texts.some((text) => sentence.test(text)))?.[0];
  if (license === undefined)
    throw new ReleaseRefused(`The licence of the Go module ${name} ${version} is not known. Add it to go-modules.mjs.`);
  return { name, version, license, texts, purl: `pkg:golang/${name}@${version}` };
}

/** One file with the texts of all modules. */
export function writeModuleLicences(file, modules) {
  const sections = modules.map(({ name, version, license, texts }) => {
    const title = `${name} ${version} (${license})`;
    return [title, '='.repeat(title.length), '', ...texts, ''].join('\n');
  });
  writeFileSync(file, sections.join('\n'));
}
