import { expect } from 'chai'
import { timeZoneFault } from '../../src/definitions/time-zone-name.ts'

// why: Node 24 takes the first ones for zones, with the sign of ISO 8601, PostgreSQL with that of POSIX
const OFFSETS = '+03:00 -03:00 +03 -5 03:00 UTC+3 UTC-3 GMT-3 GMT+00 UTC+0 MSK-3 MSK-3MSD <+03>-3'
const NAMES =
  'Europe/Moscow europe/moscow Etc/GMT+3 Etc/GMT-14 America/Port-au-Prince EST5EDT GMT+0 GMT-0 gmt-0 W-SU UTC'
const UNKNOWN = ['Mars/Olympus', '', 'MSK', 'MSK3', 'Europe/Moscow ', 'posixrules']

describe('the name of a time zone', () => {
  for (const offset of OFFSETS.split(' ')) {
    it(`is no offset: ${offset}`, () => {
      expect(timeZoneFault(offset)).to.equal(
        `time_zone is "${offset}", an offset, expected an IANA name such as Europe/Moscow`,
      )
    })
  }

  for (const name of NAMES.split(' ')) {
    it(`is one that this runtime knows: ${name}`, () => {
      expect(timeZoneFault(name)).to.equal(undefined)
    })
  }

  for (const name of UNKNOWN) {
    it(`is no text that this runtime does not know: "${name}"`, () => {
      expect(timeZoneFault(name)).to.match(/, which Node does not know, expected an IANA name/)
    })
  }
})
