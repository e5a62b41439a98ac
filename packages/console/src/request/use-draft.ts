import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accountQuery } from '../api/session.js';
import { DRAFTS } from '../api/drafts.js';
import { changedMeanwhile, drafted, NO_DRAFT, storable, type Draft } from './draft.js';
import type { MemberShape } from './shape.js';
import type { Values } from './values.js';

/**
 * What a person types, until it is sent. A draft survives a reload and an ended session in its tab: it is stored by the person, the
 * path of the page and the name of the form, without secrets. A form without a draft follows the record that it shows.
 */
export function useDraft(form: string, members: readonly MemberShape[], first: Values) {
  const { data: account } = useQuery(accountQuery);
  const key = `${DRAFTS} ${account?.id} ${location.pathname} ${form}`;
  const [draft, setDraft] = useState<Draft>(() => stored(key));
  const change = (changed: Values): void =>
    setDraft((now) => {
      const next = drafted(now, changed, first);
      store(key, storable(members, next));
      return next;
    });
  const forget = (): void => {
    sessionStorage.removeItem(key);
    setDraft(NO_DRAFT);
  };
  return { values: { ...first, ...draft.typed }, changedMeanwhile: changedMeanwhile(draft, first), change, forget };
}

function stored(key: string): Draft {
  try {
    return { ...NO_DRAFT, ...(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Draft>) };
  } catch {
    return NO_DRAFT;
  }
}

function store(key: string, draft: Draft): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // The browser has no room. The draft then lives as long as the page.
  }
}
