import type { Schema } from '@payment-orchestrator/client';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { EVENT_TYPES } from './event-types';
import { useCan } from './session';

export type LiveEvent = Schema<'Event'>;
type Listener = (event: LiveEvent) => void;

interface Live {
  listen: (listener: Listener) => () => void;
  /** Whether the stream is connected. */
  isOpen: boolean;
}

const LiveContext = createContext<Live>({ listen: () => () => undefined, isOpen: false });
/** The API limits the streams of a client; a page that is refused tries again after this time. */
const REOPEN_MS = 30_000;

/** One stream of `GET /events` for the whole page. The browser reconnects by itself, after the last event. */
export function LiveEvents({ children }: { children: ReactNode }) {
  const listeners = useRef(new Set<Listener>());
  const [isOpen, setOpen] = useState(false);
  const mayRead = useCan('webhooks:read');
  useEffect(() => (mayRead ? stream(listeners.current, setOpen) : undefined), [mayRead]);
  const listen = (listener: Listener): (() => void) => {
    listeners.current.add(listener);
    return () => listeners.current.delete(listener);
  };
  return <LiveContext value={{ listen, isOpen }}>{children}</LiveContext>;
}

/** Calls `listener` with every event from now on, while the component is shown. */
export function useLiveEvents(listener: Listener): { isOpen: boolean } {
  const { listen, isOpen } = useContext(LiveContext);
  const latest = useRef(listener);
  useEffect(() => void (latest.current = listener));
  // `listen` is a new function with each render, but always does the same
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(() => listen((event) => latest.current(event)), []);
  return { isOpen };
}

function stream(listeners: Set<Listener>, setOpen: (isOpen: boolean) => void): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    source = new EventSource('/events');
    source.onopen = () => setOpen(true);
    source.onerror = () => {
      setOpen(false);
      // the API refused the stream, and the browser does not try again
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, REOPEN_MS);
    };
    for (const type of EVENT_TYPES) source.addEventListener(type, notify);
  };
  const notify = ({ data }: MessageEvent<string>): void => {
    const event = JSON.parse(data) as LiveEvent;
    for (const listener of listeners) listener(event);
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
