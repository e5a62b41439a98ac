import { isLoopbackHost } from '@libs/domain/starts';
import { offerFirstSignIn, withdrawFirstSignIn } from '@libs/persistence/migrations';
import type { LauncherConfig } from '../config.js';

/**
 * Creates the link that signs the first owner in, which replaces the link of the last start. Null, and no link is valid any more,
 * with another database or if other machines reach the main API. The token is the fragment, which browsers send to no server.
 */
export async function firstSignInLink(config: LauncherConfig, databaseUrl: string): Promise<string | null> {
  const { databaseUrl: external, isTls, mainApi, mainApiHost, isOnLoopbackOfHost } = config;
  if (external !== null || !(isLoopbackHost(mainApiHost) || isOnLoopbackOfHost)) {
    await withdrawFirstSignIn(databaseUrl);
    return null;
  }
  const token = await offerFirstSignIn(databaseUrl);
  return token && `${isTls ? 'https' : 'http'}://localhost:${mainApi.port}/console/welcome#${token}`;
}
