import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import type { Client } from 'pg'
import { dataRowTapOf, tapDataRows, type DataRowTap } from '../../src/replica/data-row-tap.ts'

type Attach = (stream: EventEmitter) => void

/** What looks like pg's client, whose parser is a list of what it was fed. */
function fakeClient(attachListeners: Attach | undefined) {
  const connection = { attachListeners }
  return { connection, client: { connection } as unknown as Client }
}

function message(type: string, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body)
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}

describe('the tap of rows', () => {
  function tapped() {
    const stream = new EventEmitter()
    const fed: string[] = []
    const { client, connection } = fakeClient(to => {
      to.on('data', (bytes: Buffer) => fed.push(bytes.toString('latin1')))
    })
    tapDataRows(client)
    connection.attachListeners?.(stream)
    const tap = dataRowTapOf(connection) as DataRowTap
    return { stream, fed, tap }
  }

  it('takes rows while it is diverted, and feeds pg the rest in order', () => {
    const { stream, fed, tap } = tapped()
    const rows: string[] = []
    tap.divert((bytes, start, end) => {
      rows.push(bytes.toString('latin1', start, end))
      fed.push('row')
    })
    const [one, two, row] = [message('T', 'one'), message('N', 'two'), message('D', 'row')]
    stream.emit('data', Buffer.concat([one, two, row, row, one]))
    expect(rows).to.deep.equal(['row', 'row'])
    expect(fed).to.deep.equal([one.toString() + two.toString(), 'row', 'row', one.toString()])
    tap.divert(undefined)
    stream.emit('data', row)
    expect(fed.at(-1)).to.equal(row.toString('latin1'))
  })

  it('gives pg the rows that come after the end of a run, in one packet too', () => {
    const { stream, fed, tap } = tapped()
    const rows: number[] = []
    tap.divert((_, start) => rows.push(start))
    stream.on('data', () => {})
    const [end, row] = [message('Z', 'I'), message('D', 'row')]
    const push = fed.push.bind(fed)
    fed.push = (...items) => {
      tap.divert(undefined)
      return push(...items)
    }
    stream.emit('data', Buffer.concat([row, end, row]))
    expect(rows).to.have.length(1)
    expect(fed.join('')).to.equal(Buffer.concat([end, row]).toString('latin1'))
  })

  it('feeds pg whole messages, however they are cut', () => {
    const all = ['R', 'T', 'D', 'C', 'Z'].map((type, at) => message(type, 'x'.repeat(at * 7)))
    const bytes = Buffer.concat(all)
    for (let size = 1; size <= bytes.length; size += 1) {
      const { stream, fed } = tapped()
      for (let at = 0; at < bytes.length; at += size) {
        stream.emit('data', bytes.subarray(at, at + size))
      }
      expect(fed.join(''), `${size}`).to.equal(bytes.toString('latin1'))
      const ends = fed.map((_, at) => fed.slice(0, at + 1).join('').length)
      const wholes = all.map((_, at) => Buffer.concat(all.slice(0, at + 1)).length)
      expect(wholes, `${size}`).to.include.members(ends)
    }
  })

  it('makes no room for what a length only announces', () => {
    const { stream, fed } = tapped()
    stream.emit('data', Buffer.from('HTTP/1.1 400 Bad Request\r\n'))
    stream.emit('data', Buffer.from('Connection: close\r\n'))
    expect(fed).to.deep.equal([])
  })

  it('leaves a pg alone that is not as it expects', () => {
    const listens = (times: number) => (stream: EventEmitter) => {
      for (let time = 0; time < times; time += 1) stream.on('data', () => {})
    }
    const strange = [undefined, listens(0), listens(2)]
    for (const attach of strange) {
      const stream = new EventEmitter()
      const { client, connection } = fakeClient(attach)
      tapDataRows(client)
      connection.attachListeners?.(stream)
      expect(dataRowTapOf(connection)).to.equal(undefined)
    }
    expect(() => tapDataRows({} as Client)).not.to.throw()
  })

  it('leaves a stream alone that somebody listens to already', () => {
    const stream = new EventEmitter().on('data', () => {})
    const { client, connection } = fakeClient(to => void to.on('data', () => {}))
    tapDataRows(client)
    connection.attachListeners?.(stream)
    expect(dataRowTapOf(connection)).to.equal(undefined)
    expect(stream.listenerCount('data')).to.equal(2)
  })
})
