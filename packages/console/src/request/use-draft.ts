import { useState } from 'react';
import type { MemberShape } from './shape.js';
import type { Values } from './values.js';

const KEY = 'landlord.draft';

/**
 * What a person types, until it is sent. A draft survives a reload and an ended session in its tab: it is stored by the path of the page
 * and the name of the form, without secrets. A form without a draft follows the record that it shows.
 */
export function useDraft(form: string, members: readonly MemberShape[], first: Values) {
  const key = `${KEY} ${location.pathname} ${form}`;
  const [draft, setDraft] = useState<Values>(() => stored(key));
  const secrets = members.filter(({ secret }) => secret === true).map(({ member }) => member);
  const change = (changed: Values): void =>
    setDraft((now) => {
      const next = { ...now, ...changed };
      store(key, Object.fromEntries(Object.entries(next).filter(([member]) => !secrets.includes(member))));
      return next;
    });
  const forget = (): void => {
    sessionStorage.removeItem(key);
    setDraft({});
  };
  return { values: { ...first, ...draft }, change, forget };
}

function stored(key: string): Values {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Values;
  } catch {
    return {};
  }
}

function store(key: string, values: Values): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(values));
  } catch {
    // The browser has no room. The draft then lives as long as the page.
  }
}

/** For the end of a session by the person: the next person of the tab sees no draft. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(KEY)) sessionStorage.removeItem(key);
}
