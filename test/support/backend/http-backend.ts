import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../listen';

/** The holder of a lock, as Terraform writes it. */
interface LockInfo {
  ID: string;
  Operation: string;
  Who: string;
  [field: string]: unknown;
}

interface BackendCall {
  method: 'GET' | 'POST' | 'DELETE' | 'LOCK' | 'UNLOCK';
  status: number;
}

/** A backend of type `http`, in memory, for one state. */
export interface HttpBackend {
  /** The block `terraform { backend "http" {…} }` as JSON; an override file of it works too. */
  config: object;
  state(): string | null;
  /** Stores a state, like a push by another user. */
  put(state: string): void;
  /** Takes the lock as another user; a plan or apply then has to wait or give up. */
  hold(id: string): void;
  release(): void;
  /** Removes a lock as soon as it is taken, after this number of other locks. */
  loseLock(after: number): void;
  /** Refuses every push with a status, until it is called with null. */
  refusePush(status: number | null): void;
  log(): BackendCall[];
  /** How often the state was written, and locked: zero is "nothing was written", "nothing was locked". */
  writes(): number;
  locks(): number;
  clearLog(): void;
  stop(): Promise<void>;
}

/**
 * Starts a backend that locks. It answers a lock that is held with 423 and the holder, and a push
 * without the lock's id while it is held with 409.
 */
export async function startHttpBackend(initial: string | null = null): Promise<HttpBackend> {
  let state = initial;
  let holder: LockInfo | null = null;
  let refusal: number | null = null;
  let locksToGo = Infinity;
  let calls: BackendCall[] = [];

  function hold(ID: string): void {
    holder = { ID, Operation: 'OperationTypeApply', Who: 'somebody@elsewhere' };
  }

  function answer(method: string, query: URLSearchParams, body: string): [number, string] {
    const isHolder = holder !== null && holder.ID === (query.get('ID') ?? '');
    switch (method) {
      case 'GET':
        return state === null ? [404, ''] : [200, state];
      case 'POST':
        if (refusal !== null) return [refusal, 'refused'];
        if (holder !== null && !isHolder) return [409, 'locked by another'];
        state = body;
        return [200, ''];
      case 'DELETE':
        state = null;
        return [200, ''];
      case 'LOCK':
        if (holder !== null) return [423, JSON.stringify(holder)];
        holder = JSON.parse(body) as LockInfo;
        if (locksToGo === 0) hold('another-run');
        locksToGo -= 1;
        return [200, ''];
      case 'UNLOCK': {
        // A forced unlock has no body.
        const info = body === '' ? null : (JSON.parse(body) as LockInfo);
        if (holder !== null && info !== null && info.ID !== holder.ID) {
          return [409, JSON.stringify(holder)];
        }
        holder = null;
        return [200, ''];
      }
      default:
        return [405, ''];
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += String(part);
    const method = request.method ?? '';
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const [status, text] = answer(method, searchParams, body);
    calls.push({ method: method as BackendCall['method'], status });
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  }

  const server = createServer((request, response) => void serve(request, response));
  const { port, close } = await listen(server);
  const address = `http://127.0.0.1:${port}/state`;
  const done = (method: BackendCall['method']) =>
    calls.filter((call) => call.method === method && call.status === 200).length;
  return {
    config: {
      terraform: {
        backend: {
          // no delay, because the server is local
          http: { address, lock_address: address, unlock_address: address, retry_wait_min: 0 },
        },
      },
    },
    state: () => state,
    put: (text) => {
      state = text;
    },
    hold,
    release: () => {
      holder = null;
      locksToGo = Infinity;
    },
    loseLock: (after) => {
      locksToGo = after;
    },
    refusePush: (status) => {
      refusal = status;
    },
    log: () => [...calls],
    writes: () => done('POST') + done('DELETE'),
    locks: () => done('LOCK'),
    clearLog: () => {
      calls = [];
    },
    stop: close,
  };
}
