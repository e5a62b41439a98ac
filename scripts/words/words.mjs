// npm run words: checks the words in the API descriptions and in errors. Each word is in the dictionaries or in
// scripts/words/dictionary.txt, and docs/language.md does not replace it by a plainer one. No source file has more old words than
// scripts/words/old-words.txt records. Exits with 1 otherwise.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spellCheckDocument } from 'cspell-lib';
import { moreOldWords } from './old-words.mjs';
import { apiTexts, errorTexts } from './texts.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const linesOf = (file) =>
  readFileSync(join(HERE, file), 'utf8')
    .split('\n')
    .map((line) => line.replace(/#.*$/, '').trim())
    .filter(Boolean);

const settings = {
  language: 'en',
  words: linesOf('dictionary.txt'),
  flagWords: linesOf('replaced.txt'),
  dictionaries: ['en_us', 'en-gb', 'companies', 'softwareTerms', 'networkingTerms', 'aws', 'google'],
  // Codes, members, paths and placeholders are names, not words.
  ignoreRegExpList: [
    '/`[^`]*`/g',
    '/\\$\\{[^}]*\\}/g',
    '/<[^>]*>/g',
    '/\\b\\w+_\\w+\\b/g',
    '/https?:\\S+/g',
    '/\\b[A-Za-z-]+\\.[a-z]+\\b/g',
  ],
  maxNumberOfProblems: 10_000,
  minWordLength: 3,
};

const texts = [...apiTexts(), ...errorTexts()];
const document = {
  uri: 'texts.txt',
  text: texts.map(({ text }) => text.replaceAll('\n', ' ')).join('\n'),
  languageId: 'plaintext',
};
const { issues, errors } = await spellCheckDocument(
  document,
  { noConfigSearch: true, generateSuggestions: false },
  settings,
);
for (const error of errors ?? []) console.error(error);
for (const { text, isFlagged, line } of issues) {
  const { where, text: whole } = texts[document.text.slice(0, line.offset).split('\n').length - 1] ?? {};
  console.error(`${isFlagged ? 'replaced word' : 'unknown word'} "${text}" in ${where}: ${whole}`);
}
const more = moreOldWords();
for (const sentence of more) console.error(sentence);
console.log(`${texts.length} texts, ${issues.length} words that docs/language.md does not allow`);
process.exitCode = issues.length > 0 || more.length > 0 || errors?.length > 0 || texts.length < 1500 ? 1 : 0;
