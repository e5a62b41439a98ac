import { edit } from './edit.mjs';

/** The settings of the compiler for an app or a library. */
export const tsConfigOf = (name) => `{
  "extends": "../../tsconfig.json",
  "compilerOptions": {
    "rootDir": "../..",
    "outDir": "../../dist",
    "types": ["node"],
    "incremental": true,
    "tsBuildInfoFile": "../../dist/.${name}.tsbuildinfo"
  },
  "include": ["src/**/*"],
  "exclude": ["**/*.spec.ts", "**/*.proof.ts", "**/*.fixture.ts"]
}
`;

/** Adds an app or a library to the projects of the Nest CLI, at the end. */
export function addProject(tree, { name, type, root, entryFile, tsConfig }) {
  const project = `,
    "${name}": {
      "type": "${type}",
      "root": "${root}",
      "entryFile": "${entryFile}",
      "sourceRoot": "${root}/src",
      "compilerOptions": { "tsConfigPath": "${root}/${tsConfig}" }
    }`;
  edit(tree, 'nest-cli.json', (text) => text.replace(/(?=\n {2}\}\n\}\s*$)/, () => project));
}
