#!/usr/bin/env node
import { run } from './program.js';

// No `await` here: the bundle is CommonJS.
void run(process.argv.slice(2)).then((code) => process.exit(code));
