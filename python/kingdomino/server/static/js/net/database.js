/**
 * The database of this device, in IndexedDB: tables (local/store.js) and reviews (review/kept.js).
 */

const VERSION = 2;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
export const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

async function open() {
  const opening = indexedDB.open("kingdomino", VERSION);
  opening.onupgradeneeded = ({ oldVersion }) => {
    const { result: database } = opening;
    if (oldVersion < 1) database.createObjectStore("reviews", { keyPath: "id" }).createIndex("used", "used");
    if (oldVersion < 2) database.createObjectStore("tables", { keyPath: "id" });
  };
  return done(opening);
}

/**
 * Runs work in one transaction. Settles when everything is stored; throws if it cannot be.
 * @template T
 * @param {"tables" | "reviews"} name of the store
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => Promise<T>} work only waits for its own requests
 * @returns {Promise<T>}
 */
export async function transact(name, mode, work) {
  const database = await open();
  try {
    const transaction = database.transaction(name, mode);
    const ended = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
    const [result] = await Promise.all([work(transaction.objectStore(name)), ended]);
    return result;
  } finally {
    database.close();
  }
}
