import { expect } from 'chai'
import { timeZoneFault } from '../../src/definitions/time-zone-name.ts'

// why: Node 24 accepts the first names as zones with the sign of ISO 8601, PostgreSQL with the sign of POSIX
const OFFSETS = '+03:00 -03:00 +03 -5 03:00 UTC+3 UTC-3 GMT-3 GMT+00 UTC+0 MSK-3 MSK-3MSD <+03>-3'
const NAMES =
  'Europe/Moscow europe/moscow Etc/GMT+3 Etc/GMT-14 America/Port-au-Prince EST5EDT GMT+0 GMT-0 gmt-0 W-SU UTC'
const UNKNOWN = ['Mars/Olympus', '', 'MSK', 'MSK3', 'Europe/Moscow ', 'posixrules']

describe('the name of a time zone', () => {
  for (const offset of OFFSETS.split(' ')) {
    it(`is not an offset: ${offset}`, () => {
      expect(timeZoneFault(offset)).to.equal(
        `time_zone is "${offset}", an offset, expected an IANA name such as Europe/Moscow`,
      )
    })
  }

  for (const name of NAMES.split(' ')) {
    it(`is known to this runtime: ${name}`, () => {
      expect(timeZoneFault(name)).to.equal(undefined)
    })
  }

  for (const name of UNKNOWN) {
    it(`is not a name: "${name}"`, () => {
      expect(timeZoneFault(name)).to.match(/, which Node does not know, expected an IANA name/)
    })
  }
})
