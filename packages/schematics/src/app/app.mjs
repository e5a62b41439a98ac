import { formatted } from '../formatted.mjs';
import { mapApp } from '../map.mjs';
import { GeneratorError } from '../names.mjs';
import { formsOf } from '../place.mjs';
import { addProject, tsConfigOf } from '../project.mjs';
import { sourcesOf } from './app-files.mjs';

/** The port of the third app. Each further app gets the next one. */
const FIRST_PORT = 8000;
const OWN_APPS = 2;

/** `nest g app <name>`: an app beside the others, with the guard, the database and its health. */
export const main = ({ name }) =>
  formatted((tree) => {
    const forms = formsOf(name, 'app');
    const root = `apps/${forms.name}`;
    const apps = tree.getDir('apps').subdirs;
    if (apps.includes(forms.name)) throw new GeneratorError(`${root} exists.`);
    const port = FIRST_PORT + apps.length - OWN_APPS;
    const files = { 'tsconfig.app.json': tsConfigOf(forms.name), ...sourcesOf({ ...forms, port }) };
    for (const [file, text] of Object.entries(files)) tree.create(`${root}/${file}`, text);
    addProject(tree, { name: forms.name, type: 'application', root, entryFile: 'main', tsConfig: 'tsconfig.app.json' });
    mapApp(tree, forms.name, `${forms.words}; port ${port}`);
  });
