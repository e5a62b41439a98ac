import { join } from 'node:path';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { ROOT } from '../sources/sources.js';

/** The rules of the repository that need no types. */
const RULES = ['no-restricted-syntax', 'no-restricted-imports'];
const IN_A_METHOD = (call: string): string => `class Rows { database; async run() { return ${call}; } }`;

describe('Lint', () => {
  let problemsOf: (code: string) => string[];

  beforeAll(async () => {
    const { default: configs } = (await import(join(ROOT, 'eslint.config.mjs'))) as { default: Linter.Config[] };
    const rules = configs.find((config) => RULES.every((rule) => config.rules?.[rule]))?.rules ?? {};
    const chosen = Object.fromEntries(RULES.map((rule) => [rule, rules[rule]])) as Linter.RulesRecord;
    const languageOptions = { parser: tseslint.parser as Linter.Parser };
    problemsOf = (code) =>
      new Linter()
        .verify(code, [{ files: ['**/*.ts'], languageOptions, rules: chosen }], 'rows.ts')
        .map(({ ruleId }) => ruleId ?? 'unreadable');
  });

  it.each(['find', 'findOneBy', 'countBy', 'existsBy', 'insert', 'update', 'delete'])('allows %s', (verb) => {
    expect(problemsOf(IN_A_METHOD(`this.database.repository(Role).${verb}({ id: 1 })`))).toEqual([]);
  });

  it.each([
    'this.database.repository(Role).save(role)',
    'database.repository(Role).save(role)',
    'this.session.database.repository(Role).save(role)',
    'this.database.repository(Role).remove(role)',
    'this.database.repository(Role).upsert(role, [])',
    'this.database.repository(Role).findAndCount()',
    'this.database.repository(Role).createQueryBuilder()',
    'this.database.repository(Role).manager.query(text)',
    'this.database.repository(Role)',
    'this.database.manager.find(Role)',
    'this.database.dataSource.getRepository(Role)',
  ])('forbids %s', (call) => {
    expect(problemsOf(IN_A_METHOD(call))).toContain('no-restricted-syntax');
  });

  it.each([
    `import { InjectRepository } from '@nestjs/typeorm';`,
    `import { OneToMany } from 'typeorm';`,
    `import { JoinColumn } from 'typeorm';`,
  ])('forbids %s', (line) => {
    expect(problemsOf(line)).toEqual(['no-restricted-imports']);
  });
});
