/** The first part of the API's paths. */
export const PREFIX = '/api/public/v1'
