import { expect } from 'chai'
import { Problem } from '../../src/model/errors.ts'
import {
  classify,
  replicaProblem,
  unreached,
  WritableServerError,
} from '../../src/serve/replica/classify-error.ts'
import { casesOf } from './table.ts'

const withCode = (code: string) => Object.assign(new Error('from PostgreSQL'), { code })

const CODES = `
  replica_unavailable | conflict  | 40001 40P01 72000
  replica_unavailable | transport | 57P01 57P02 57P03 57P04 08006 25P03 28000 3D000 58030
  replica_unavailable | transport | ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENOTFOUND EAI_AGAIN EMFILE EADDRNOTAVAIL
  replica_unavailable | transport | DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN CERT_HAS_EXPIRED UNABLE_TO_VERIFY_LEAF_SIGNATURE
  replica_unavailable | transport | ERR_TLS_CERT_ALTNAME_INVALID ERR_SSL_TLSV1_ALERT_CERTIFICATE_EXPIRED
  replica_unavailable | elsewhere | 53300
  replica_unavailable | none      | 55P03
  report_timeout      | none      | 57014
  result_too_large    | none      | 53400
  internal_error      | none      | 42P01 42501 22012 25006 0A000 XX000
`

describe('an error of PostgreSQL or the transport', () => {
  for (const [outcome, remedy, codes = ''] of casesOf(CODES)) {
    it(`is ${outcome}, with the remedy "${remedy}": ${codes}`, () => {
      for (const code of codes.split(' ')) {
        const { problem, remedy: found } = classify(withCode(code))
        expect([problem.code, found], code).to.deep.equal([outcome, remedy])
      }
    })
  }

  // why: errors of pg itself have no code
  for (const message of [
    'Connection terminated unexpectedly',
    'Connection terminated',
    'Connection terminated due to connection timeout',
    'timeout expired',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ]) {
    it(`is a transport error: ${message}`, () => {
      expect(classify(new Error(message)).remedy).to.equal('transport')
    })
  }

  it('is a transport error if there was no connection, unless its code is known', () => {
    const unheard = unreached(new Error('SASL: server signature is missing'))
    expect(classify(unheard).remedy).to.equal('transport')
    const full = withCode('53300')
    expect(unreached(full)).to.equal(full)
  })

  it('has the remedy of another server if this one is writable', () => {
    const { problem, remedy } = classify(new WritableServerError())
    expect([problem.code, remedy]).to.deep.equal(['replica_unavailable', 'elsewhere'])
  })

  it('leaves a problem unchanged; its cause determines the remedy only if the replica is unavailable', () => {
    const gone = withCode('ECONNREFUSED')
    for (const [problem, remedy] of [
      [replicaProblem('replica_unavailable', gone), 'transport'],
      [replicaProblem('replica_unavailable', undefined), 'none'],
      [replicaProblem('report_timeout', gone), 'none'],
      [replicaProblem('overloaded', gone), 'none'],
      [new Problem('bad_range', { ru: '', en: '' }), 'none'],
    ] as const) {
      expect(classify(problem)).to.deep.equal({ problem, remedy })
    }
  })

  it('is an internal error with its cause if it is unknown', () => {
    const cause = new TypeError('bug')
    expect(classify(cause).problem).to.include({ code: 'internal_error', cause })
  })
})
