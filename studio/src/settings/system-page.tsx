// The state of the service as administrators see it: its parts, its version and its limits, and whether mails arrive.

import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useRunningText } from '../activity/activity-data.js';
import { ApiError, request } from '../api/client.js';
import { serviceUrl } from '../api/service-url.js';
import { sizeText } from '../displays/show-value.js';
import { titleOf } from '../schema/read-meta.js';
import { useLanguage, useText } from '../text/use-text.js';
import { MailPart } from './mail-part.js';
import { SystemHead } from './system-head.js';

interface Check {
  readonly status: string;
  readonly observedValue?: number | string;
  readonly observedUnit?: string;
  readonly output?: string;
}

interface Health {
  readonly status: string;
  readonly releaseId?: string;
  readonly checks?: Readonly<Record<string, readonly Check[]>>;
}

interface Info {
  readonly version?: string;
  readonly queryLimit?: { readonly default: number; readonly max: number };
  readonly rateLimit?: false | { readonly points: number; readonly duration: number };
  readonly websocket?: unknown;
  readonly uploads?: { readonly maxFileSize?: number };
}

/** Health is not wrapped as other answers are, and one that is bad has a status of its own. */
async function readHealth(signal: AbortSignal): Promise<Health> {
  const response = await fetch(serviceUrl('/server/health'), { credentials: 'same-origin', signal });
  const body = (await response.json()) as Health;
  if (typeof body.status !== 'string') throw new ApiError(response.status, []);
  return body;
}

export function SystemPage() {
  const text = useRunningText();
  const { reference } = useText();
  const {
    data: health,
    error,
    refetch,
  } = useQuery({ queryKey: ['health'], queryFn: ({ signal }) => readHealth(signal), refetchInterval: 30_000 });
  const { data: info } = useQuery({ queryKey: ['info'], queryFn: async () => (await request<Info>('GET', '/server/info')).data });
  return (
    <>
      <SystemHead request={{ path: '/server/health' }}>
        <button type="button" className="button" onClick={() => void refetch()}>
          {text.again}
        </button>
      </SystemHead>
      <div className="scroll system">
        {error !== null && health === undefined && (
          <p className="banner notice" role="alert">
            {text.systemFailed} {error.message}
          </p>
        )}
        {health !== undefined && (
          <p className={`system-state ${health.status}`} role="status">
            <span className="system-dot" aria-hidden="true" />
            {health.status === 'ok' ? text.healthy : health.status === 'warn' ? text.warned : text.broken}
            {health.releaseId !== undefined && <span className="hint">{`${text.version} ${health.releaseId}`}</span>}
            <Link href="/api">{reference}</Link>
          </p>
        )}
        {health?.checks !== undefined && <Checks checks={health.checks} />}
        {info !== undefined && <Limits info={info} />}
        <MailPart />
      </div>
    </>
  );
}

function Checks({ checks }: { readonly checks: Readonly<Record<string, readonly Check[]>> }) {
  const text = useRunningText();
  const { number } = useLanguage();
  return (
    <section>
      <h2>{text.checks}</h2>
      <table className="system-parts">
        <thead>
          <tr>
            <th scope="col">{text.part}</th>
            <th scope="col">{text.state}</th>
            <th scope="col">{text.measured}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(checks).flatMap(([name, list]) =>
            list.map(({ status, observedValue, observedUnit, output }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the place is what identifies a check
              <tr key={`${name} ${index}`}>
                <th scope="row">{partTitle(name)}</th>
                <td className={`part-state ${status}`}>{text.states[status] ?? status}</td>
                <td>
                  <bdi>
                    {typeof observedValue === 'number' ? number.format(observedValue) : observedValue} {observedUnit}
                  </bdi>
                  {output !== undefined && <span className="hint">{output}</span>}
                </td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </section>
  );
}

/** `sqlite:responseTime` → `Sqlite: Response Time`. */
const partTitle = (name: string): string => name.split(':').map(titleOf).join(': ');

function Limits({ info: { queryLimit, rateLimit, websocket, uploads } }: { readonly info: Info }) {
  const text = useRunningText();
  const language = useLanguage();
  const most = (value: number): string => (value < 0 ? text.unlimited : language.number.format(value));
  return (
    <section>
      <h2>{text.limits}</h2>
      <dl className="entry-facts">
        {queryLimit !== undefined && (
          <>
            <dt>{text.defaultLimit}</dt>
            <dd>{most(queryLimit.default)}</dd>
            <dt>{text.maxLimit}</dt>
            <dd>{most(queryLimit.max)}</dd>
          </>
        )}
        <dt>{text.rateLimit}</dt>
        <dd>{typeof rateLimit === 'object' ? `${rateLimit.points} / ${rateLimit.duration} s` : text.unlimited}</dd>
        {uploads?.maxFileSize !== undefined && (
          <>
            <dt>{text.upload}</dt>
            <dd>{sizeText(language, uploads.maxFileSize)}</dd>
          </>
        )}
        <dt>{text.realtime}</dt>
        <dd>{typeof websocket === 'object' && websocket !== null ? text.on : text.off}</dd>
      </dl>
    </section>
  );
}
