import { readFile } from 'node:fs/promises';

const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
} as const;

/** The names of the scripts by kind of page, and who has the credentials. */
const KINDS = {
  mqtt: { scripts: ['mqtt/page', 'mqtt/lists', 'mqtt/messages'], clients: 'MQTT clients' },
  iggy: { scripts: ['iggy/page', 'iggy/views'], clients: 'All clients of the broker' },
} as const;
const SHARED_SCRIPTS = ['api', 'elements', 'session', 'tables'];

export interface PageFile {
  type: string;
  content: Buffer;
}

/** Reads the files of one kind of page once, by path. A path of a request is only looked up, and never becomes the name of a file. */
export async function loadPageFiles(kind: keyof typeof KINDS): Promise<ReadonlyMap<string, PageFile>> {
  const scripts = [...SHARED_SCRIPTS, ...KINDS[kind].scripts].map((name) => `${name}.js`);
  const files = new Map<string, PageFile>([['/ui/', { type: TYPES.html, content: Buffer.from(await pageOf(kind)) }]]);
  for (const name of ['page.css', ...scripts])
    files.set(`/ui/${name}`, { type: TYPES[name.endsWith('css') ? 'css' : 'js'], content: await read(name) });
  return files;
}

/** The page: the frame that all kinds have, with the navigation and the views of the kind. */
async function pageOf(kind: keyof typeof KINDS): Promise<string> {
  const [frame, parts] = [await read('index.html'), await read(`${kind}/views.html`)].map(String) as [string, string];
  const [navigation = '', views = ''] = parts.split(/^(?=<main>)/m);
  return frame
    .replace('<!-- navigation -->', navigation)
    .replace('<!-- views -->', views)
    .replace('{kind}', kind)
    .replace('{clients}', KINDS[kind].clients);
}

const read = (name: string): Promise<Buffer> => readFile(new URL(`./page/${name}`, import.meta.url));
