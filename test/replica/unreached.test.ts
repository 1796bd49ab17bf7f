import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { expect } from 'chai'
import { classify } from '../../src/replica/classify-error.ts'
import { createReplica } from '../../src/replica/replica.ts'
import { keepingSink } from './rows.ts'

describe('a replica that no connection is to be had of', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close()
  })

  /** What a run meets where a server says this to whatever it is asked first, and hangs up. */
  async function remedyWhereItSays(answer: Buffer | string, search: string): Promise<unknown> {
    const server = createServer(socket => {
      socket.once('data', () => socket.end(answer)).on('error', () => {})
    })
    servers.push(server)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const replica = createReplica({
      connectionString: `postgres://reports:secret@127.0.0.1:${port}/product${search}`,
      poolSize: 1,
      connectTimeoutMs: 2000,
      allowPrimary: false,
      state: () => undefined,
      stateAgeMs: () => 0,
      observe: () => {},
      now: () => performance.now(),
    })
    const what = { name: 'x', alike: '1', text: 'select 1', preparedName: 'x', values: [] }
    const error: unknown = await replica
      .run({
        ...what,
        timeoutMs: 2000,
        open: () => ({ sink: keepingSink(), finish: () => {}, isOut: () => false }),
        signal: new AbortController().signal,
      })
      .catch((reason: unknown) => reason)
    await replica.close()
    const { problem, remedy } = classify(error)
    return `${problem.code} ${remedy}`
  }

  for (const [title, answer, search] of [
    ['because TLS breaks off', 'S', '?sslmode=no-verify'],
    ['because it knows nothing of TLS', 'E', '?sslmode=no-verify'],
    [
      'because it asks for a proof that pg has not got',
      Buffer.from('520000000d0000000a464f4f0000', 'hex'),
      '',
    ],
    ['because it says what pg has never heard', Buffer.from('520000000800000063', 'hex'), ''],
  ] as const) {
    it(`is unavailable, and another is asked, ${title}`, async () => {
      expect(await remedyWhereItSays(answer, search)).to.equal('replica_unavailable transport')
    })
  }
})
