import { jest } from '@jest/globals';

/** Sets variables of the environment, also for the processes that start from now on, until `jest.restoreAllMocks()`. */
export function setVariables(variables: NodeJS.ProcessEnv): void {
  jest.replaceProperty(process, 'env', { ...process.env, ...variables });
}
