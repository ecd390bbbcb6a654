/** JSON values of an OpenAPI document. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json | undefined }
export type JsonObject = { readonly [name: string]: Json | undefined }

/** A reference to a component. */
export const refer = (
  kind: 'schemas' | 'responses' | 'parameters' | 'headers',
  name: string,
): JsonObject => ({
  $ref: `#/components/${kind}/${name}`,
})

/** Converts `get-account` to `GetAccount` and `accountStatus` to `AccountStatus`. */
export const pascalCase = (name: string) =>
  name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())

/** A copy of the object without undefined members. */
export const compact = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
