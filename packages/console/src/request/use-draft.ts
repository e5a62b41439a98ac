import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accountQuery } from '../api/session.js';
import { DRAFTS } from '../api/drafts.js';
import type { MemberShape } from './shape.js';
import type { Values } from './values.js';

/**
 * What a person types, until it is sent. A draft survives a reload and an ended session in its tab: it is stored by the person, the
 * path of the page and the name of the form, without secrets. A form without a draft follows the record that it shows.
 */
export function useDraft(form: string, members: readonly MemberShape[], first: Values) {
  const { data: account } = useQuery(accountQuery);
  const key = `${DRAFTS} ${account?.id} ${location.pathname} ${form}`;
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
