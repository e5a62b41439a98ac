import { skippedSuite, skippedTest, type Suite, type Test } from '@libs/testing';
import { HAS_SCRIPT } from './pseudo-terminal.js';

const MISSING = ['script of util-linux is not on the PATH', 'Install util-linux'] as const;

/** A test of what a person sees in a terminal. */
export const itInTerminal: Test = HAS_SCRIPT ? it : skippedTest(...MISSING);
/** Such tests. */
export const describeInTerminal: Suite = HAS_SCRIPT ? describe : skippedSuite(...MISSING);
