import { execFileSync } from 'node:child_process';
import type { Browser } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser of this machine: CHROMIUM_BIN, otherwise the one in PATH. Null when there is none. */
export function findBrowser(): string | null {
  const program = process.env['CHROMIUM_BIN'];
  if (program) return program;
  const programs = NAMES.flatMap((name) => {
    try {
      return [execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()];
    } catch {
      return [];
    }
  });
  return programs[0] ?? null;
}

/** Like describe. Without a browser the tests are skipped, and the run reports that. */
export function describeWithBrowser(title: string, stories: () => void): void {
  if (findBrowser()) describe(title, stories);
  else describe.skip(`${title} (skipped: no Chromium on PATH, and CHROMIUM_BIN is not set)`, stories);
}

/** Loaded on use, because loading takes a third of a second. */
export async function openBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath: findBrowser() ?? '', args: ['--no-sandbox', '--disable-gpu'] });
}
