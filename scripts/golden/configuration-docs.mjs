import { z } from 'zod';
import { built } from './apps.mjs';

/** docs/configuration.md, from the schemas of the build. */
export async function configurationFiles() {
  const { MAIN_API_SETTINGS: mainApi } = await built('apps/main-api/src/config.js');
  const { SUPERVISOR_SETTINGS: supervisor } = await built('apps/supervisor/src/config.js');
  const { LAUNCHER_SETTINGS: launcher } = await built('libs/launcher/src/config.js');
  return { 'docs/configuration.md': configurationPage({ mainApi, supervisor, launcher }) };
}

/** Names of the processes in the table. */
const READERS = { mainApi: 'main API', supervisor: 'Supervisor', launcher: 'launcher' };

/** The page as Markdown. Throws if a setting has no description. */
export function configurationPage(schemas) {
  const settings = settingsOf(schemas);
  const names = [...settings.keys()].sort();
  return [INTRODUCTION, ...names.map((name) => row(name, settings.get(name))), '', ENVIRONMENT_OF_LIBRARIES].join('\n');
}

/**
 * Maps each name to its JSON schema and its readers. The description of an app takes precedence over the one of the
 * launcher.
 */
function settingsOf(schemas) {
  const settings = new Map();
  for (const [key, reader] of Object.entries(READERS)) {
    const { properties, required = [] } = z.toJSONSchema(schemas[key], {
      io: 'input',
      unrepresentable: 'any',
      override,
    });
    for (const [name, schema] of Object.entries(properties)) {
      const known = settings.get(name) ?? { schema: {}, readers: [], isRequired: false };
      const isRequired = known.isRequired || required.includes(name);
      settings.set(name, { schema: { ...schema, ...known.schema }, readers: [...known.readers, reader], isRequired });
    }
  }
  return settings;
}

/** zod omits the defaults of settings with a transform, such as lists, because the type differs from the input type. */
function override({ zodSchema: { _zod }, jsonSchema }) {
  if (_zod.def.type === 'default') jsonSchema.default ??= _zod.def.defaultValue;
}

function row(name, { schema, readers, isRequired }) {
  if (!schema.description) throw new Error(`${name} has no description: add .describe() in its config file`);
  const cells = [code(name), initial(schema, isRequired), values(schema), readers.join(', '), schema.description];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

const code = (text) => `\`${text}\``;

function initial({ default: given }, isRequired) {
  if (given === undefined) return isRequired ? 'required by an app' : 'unset';
  const text = Array.isArray(given) ? given.join(typeof given[0] === 'number' ? '-' : ',') : String(given);
  return text === '' ? 'empty' : code(text);
}

function values({
  enum: words,
  const: word,
  anyOf: choices,
  type,
  format,
  minimum,
  exclusiveMinimum,
  maximum,
  minLength,
}) {
  if (choices) return choices.map(values).join(' or ');
  if (words) return words.map(code).join(', ');
  if (word !== undefined) return code(word);
  if (format === 'uri') return 'URL';
  if (type === 'integer' || type === 'number') return range(minimum ?? above(exclusiveMinimum), maximum, type);
  return minLength > 1 ? `text, at least ${minLength} characters` : 'text';
}

const above = (limit) => (limit === undefined ? undefined : limit + 1);

function range(least, most, type) {
  if (least === undefined) return type;
  return most === undefined || most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
}

const INTRODUCTION = `# Configuration

Landlord reads its configuration from environment variables. Each process reads the variables once, at its start. A process
that finds errors reports all of them together and does not start ([failed starts](failed-starts.md)). The launcher also checks
the settings of both apps before it starts anything.

- An empty variable counts as unset.
- A variable \`NAME_FILE\` names a file that contains the value of \`NAME\`. Both apps accept this form for every setting. The
  launcher (\`npm start\`) accepts this form for \`LANDLORD_SECRET_KEYS\` only.
- The launcher passes its environment to the apps that it starts, and sets their database and their addresses.
- \`landlord doctor\` reports the same problems of the settings, and changes nothing.

\`npm run golden\` generates this page from the settings in the code. Change the descriptions there, not here.

| Name | Default | Values | Read by | Meaning |
|---|---|---|---|---|`;

const ENVIRONMENT_OF_LIBRARIES = `## Settings of Node and of libraries

| Name | Read by | Meaning |
|---|---|---|
| NODE_EXTRA_CA_CERTS | Node | A file with further certificate authorities, for destinations with a certificate of your own authority |
| AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_PROFILE and others | AWS SDK | The credentials for an object store at \`s3://…\` |
`;
