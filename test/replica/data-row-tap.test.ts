import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import type { Client } from 'pg'
import { dataRowTapOf, tapDataRows } from '../../src/serve/replica/data-row-tap.ts'

/** A stand-in for pg's client with given listeners. */
function tapped(listen: ((stream: EventEmitter) => void) | undefined, stream = new EventEmitter()) {
  const connection = { attachListeners: listen }
  tapDataRows({ connection } as unknown as Client)
  connection.attachListeners?.(stream)
  return { stream, tap: dataRowTapOf(connection) }
}

function message(type: string, body: string): Buffer {
  const head = Buffer.from(`${type}....`)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, Buffer.from(body)])
}

// Rows of real servers, in packets of every size, are tested in row-bytes.test.ts.
describe('the data row tap', () => {
  it('passes rows after the end of an execution to pg, even in the same packet', () => {
    const fed: string[] = []
    const { stream, tap } = tapped(to =>
      to.on('data', (bytes: Buffer) => {
        fed.push(bytes.toString('latin1'))
        if (bytes[0] === 'Z'.charCodeAt(0)) tap!.divert(undefined)
      }),
    )
    const rows: string[] = []
    tap!.divert(batch => rows.push(batch.toString('latin1')))
    const [end, row] = [message('Z', 'I'), message('D', 'row')]
    Object.assign(stream, { destroy: (error: Error) => fed.push(String(error)) })
    stream.emit('data', Buffer.concat([row, end, row]))
    expect(rows).to.deep.equal([row.toString('latin1')])
    expect(fed.join('')).to.equal(Buffer.concat([end, row]).toString('latin1'))
  })

  it('allocates no memory for an announced length', () => {
    const fed: Buffer[] = []
    const { stream } = tapped(to => to.on('data', (bytes: Buffer) => fed.push(bytes)))
    stream.emit('data', Buffer.from('HTTP/1.1 400 Bad Request\r\n'))
    stream.emit('data', Buffer.from('Connection: close\r\n'))
    expect(fed).to.deep.equal([])
  })

  it('delivers all rows of a packet as one batch, and a row split between packets separately', () => {
    const { stream, tap } = tapped(to => to.on('data', () => {}))
    const batches: string[] = []
    tap!.divert(batch => batches.push(batch.toString('latin1')))
    const row = message('D', 'row')
    const text = row.toString('latin1')
    stream.emit('data', Buffer.concat([row, row, row.subarray(0, 3)]))
    stream.emit('data', Buffer.concat([row.subarray(3), row]))
    expect(batches).to.deep.equal([text + text, text, text])
  })

  it('rejects an unexpected version of pg', () => {
    const listener = () => {}
    for (const [listen, stream] of [
      [undefined],
      [() => {}],
      [(to: EventEmitter) => to.on('data', listener).on('data', () => {})],
      [(to: EventEmitter) => to.on('data', listener), new EventEmitter().on('data', () => {})],
    ] as const) {
      expect(() => tapped(listen, stream)).to.throw('found an unexpected version of pg')
    }
    expect(() => tapDataRows({} as Client)).to.throw('found an unexpected version of pg')
  })
})
