import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** The lint floor (docs/architecture.md, "Boundaries"). Raising a number is a decision record. */
const noProcessEnv = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Environment variables are read once, in the config file of the process (config.ts).',
};
const noHttpException = {
  selector: 'NewExpression[callee.name=/^(HttpException|\\w+Exception)$/]',
  message: 'Throw a DomainError with a code of the catalogue (libs/domain/src/errors.ts).',
};
const markup = {
  selector: 'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|write|parseFromString)$/]',
  message: 'Topics and payloads are hostile text. Set textContent.',
};
const bareError = {
  selector: "ThrowStatement > NewExpression[callee.name='Error']",
  message: 'Throw a DomainError, or a named error class that says who handles it.',
};
const noForwardRef = {
  name: '@nestjs/common',
  importNames: ['forwardRef'],
  message: 'A cycle is a missing event.',
};
/** The calls of `Database.repository(Entity)` that send one statement in the open transaction. */
const ONE_STATEMENT = 'find|findOne|findOneBy|findOneByOrFail|countBy|existsBy|create|insert|update|delete';
const repositoryCall =
  "[callee.property.name='repository']:matches([callee.object.property.name='database'], [callee.object.name='database'])";
const manyStatements = {
  selector: `MemberExpression[property.name!=/^(${ONE_STATEMENT})$/] > CallExpression${repositoryCall}.object`,
  message: 'This call reads first, or leaves the transaction of the request (decision 0046).',
};
const keptRepository = {
  selector: `:not(MemberExpression) > CallExpression${repositoryCall}`,
  message: 'Call the method at once: a kept repository belongs to the transaction of another request.',
};
const ownManager = {
  selector: 'MemberExpression[property.name=/^(manager|getRepository)$/]',
  message: 'Rows go through `database.repository(Entity)`, which is in the transaction of the request (decision 0046).',
};
const typeorm = [manyStatements, keptRepository, ownManager];
const otherTransactions = {
  name: '@nestjs/typeorm',
  importNames: ['InjectRepository', 'InjectEntityManager', 'InjectDataSource'],
  message: 'An injected repository is outside the transaction of the request. Use `database.repository(Entity)`.',
};
const relations = {
  name: 'typeorm',
  importNames: [
    ...['OneToOne', 'OneToMany', 'ManyToOne', 'ManyToMany', 'JoinColumn', 'JoinTable', 'RelationId', 'RelationCount'],
    ...['Tree', 'TreeParent', 'TreeChildren', 'EventSubscriber', 'DeleteDateColumn', 'VersionColumn'],
  ],
  message: 'A relation or a cascade sends statements that nobody reads. Joins are SQL (decision 0046).',
};

const BROWSER_GLOBALS = [
  ...['document', 'location', 'window', 'fetch', 'WebSocket', 'URLSearchParams', 'setTimeout', 'clearTimeout'],
  ...['atob', 'confirm', 'addEventListener', 'localStorage'],
];

const PROJECTS = ['packages/sdk/tsconfig.json', 'packages/console/tsconfig.json', 'tsconfig.json'];

export default tseslint.config(
  {
    ignores: [
      'site/dist/',
      'site/.pages/',
      'site/.vitepress/cache/',
      'dist/',
      'test/bench/',
      'node_modules/',
      'coverage/',
      '.landlord/',
      'release/',
      'packages/*/dist/',
      'packages/*/src/generated/',
      '**/*.mjs',
      '**/*.cjs',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    // The first project that contains the file. A service for editors, which follows changes, takes a fifth more time.
    languageOptions: { parserOptions: { project: PROJECTS, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'max-lines': ['error', { max: 250 }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 12],
      'max-depth': ['error', 3],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-restricted-syntax': ['error', noProcessEnv, noHttpException, bareError, ...typeorm],
      'no-restricted-imports': ['error', { paths: [noForwardRef, otherTransactions, relations] }],
    },
  },
  {
    files: ['libs/persistence/src/database.ts'],
    rules: { 'no-restricted-syntax': ['error', noProcessEnv, noHttpException, bareError] },
  },
  // A migration is a page of DDL: reviewed line by line, never called.
  { files: ['libs/persistence/src/migrations/*.ts'], rules: { 'max-lines-per-function': 'off' } },
  { files: ['libs/http/**'], rules: { 'no-restricted-syntax': ['error', noProcessEnv, bareError] } },
  {
    files: ['**/config.ts', '**/*.config.ts'],
    rules: { 'no-restricted-syntax': ['error', noHttpException, bareError] },
  },
  {
    // Files for browsers, which no compiler reads.
    files: ['libs/host/src/gate/ui/page/**/*.js', 'packages/console/public/*.js'],
    languageOptions: {
      parserOptions: { project: false },
      globals: Object.fromEntries(BROWSER_GLOBALS.map((name) => [name, 'readonly'])),
    },
    rules: { ...tseslint.configs.disableTypeChecked.rules, 'no-restricted-syntax': ['error', markup] },
  },
  {
    // The router takes a thrown redirect as the answer of a route.
    files: ['packages/console/src/routes/*.ts'],
    rules: {
      '@typescript-eslint/only-throw-error': [
        'error',
        { allow: [{ from: 'package', package: '@tanstack/router-core', name: 'Redirect' }] },
      ],
    },
  },
  {
    files: ['**/*.{spec,proof}.ts', 'test/**', '{apps,libs}/*/test/**', 'libs/testing/**'],
    rules: {
      'max-lines': ['error', { max: 500 }],
      'max-lines-per-function': 'off',
      'no-restricted-syntax': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
);
