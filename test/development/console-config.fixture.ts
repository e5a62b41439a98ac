/** The configuration of a console without modules. The build reads the names of the modules from the file. */
export const CONSOLE_CONFIG = `import { writeFileSync } from 'node:fs';
writeFileSync(process.env.CONSOLE_MODULES, '');
export default { root: import.meta.dirname, build: { outDir: '../../dist/console', emptyOutDir: true } };
`;
