/** JSON as the parts of an OpenAPI document are made of. */
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

/** `get-account` and `accountStatus` as `GetAccount` and `AccountStatus`. */
export const pascalCase = (name: string) =>
  name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())

/** The object without its undefined members. */
export const compact = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
