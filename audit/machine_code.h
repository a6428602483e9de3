/* How machine code reads the attributes of frozen values.

   A `msgspec.Struct` keeps each attribute at a fixed place of the object. Only the interpreter makes use of that:
   compiled code looks the name up in the type and its bases at every read. Here the place is remembered for each type
   and name. A type that is changed gets another version, so that nothing remembered of it is used again. What is kept
   otherwise is read as ever.

   Compiled code also looks up each name of a module at every use: what the module imports, and its constants. A dict
   that is changed gets another version too, so that what was found is found again at once until then.

   The look-up `get` of a dict that is annotated as a Mapping goes to the dict at once, not by way of the method.

   setup.py includes this file before every C file that mypyc writes. */

#ifndef AUDIT_MACHINE_CODE_H
#define AUDIT_MACHINE_CODE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

static inline PyObject *audit_call_method(PyObject *name, PyObject *const *args, size_t count, PyObject *keywords)
{
    Py_ssize_t given = PyVectorcall_NARGS(count);
    if (keywords != NULL || (given != 2 && given != 3) || !PyDict_CheckExact(args[0])
        || PyUnicode_CompareWithASCIIString(name, "get") != 0)
        return PyObject_VectorcallMethod(name, args, count, keywords);
    PyObject *value = PyDict_GetItemWithError(args[0], args[1]);
    if (value == NULL && !PyErr_Occurred())
        value = given == 3 ? args[2] : Py_None;
    return Py_XNewRef(value);
}

#define PyObject_VectorcallMethod audit_call_method

/* 3.11 is the first Python that gives a changed type the version 0; later ones than 3.13 are untried. */
#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030E0000 && !defined(Py_GIL_DISABLED)

#define AUDIT_PLACES 8192

typedef struct {
    PyObject *name; /* held, so that no other name comes to lie where it lies */
    unsigned int version;
    Py_ssize_t offset; /* of the attribute in the object; 0: it is kept otherwise */
} AuditPlace;

/* One table for all C files of a library. A place that is needed for another type or name is overwritten. */
__attribute__((weak, visibility("hidden"))) AuditPlace audit_places[AUDIT_PLACES];

/* From Python 3.13 on a change of a dict no longer gives it another version. */
#if PY_VERSION_HEX < 0x030D0000

typedef struct {
    uint64_t version;
    PyObject *name; /* held, as above */
    PyObject *value; /* the dict of that version holds it */
} AuditEntry;

__attribute__((weak, visibility("hidden"))) AuditEntry audit_entries[AUDIT_PLACES];

static __attribute__((noinline)) PyObject *audit_find(PyObject *dict, PyObject *name, AuditEntry *entry)
{
    PyObject *value = PyDict_GetItemWithError(dict, name);
    if (value != NULL && PyUnicode_CheckExact(name) && PyUnicode_CHECK_INTERNED(name)) {
        entry->version = ((PyDictObject *)dict)->ma_version_tag;
        entry->value = value;
        Py_INCREF(name);
        Py_XSETREF(entry->name, name);
    }
    return value;
}

static inline PyObject *audit_get_item(PyObject *dict, PyObject *name)
{
    if (!PyDict_CheckExact(dict))
        return PyDict_GetItemWithError(dict, name);
    uint64_t version = ((PyDictObject *)dict)->ma_version_tag;
    AuditEntry *entry = &audit_entries[(version * 37 + ((uintptr_t)name >> 4)) % AUDIT_PLACES];
    if (entry->version == version && entry->name == name)
        return entry->value;
    return audit_find(dict, name, entry);
}

#define PyDict_GetItemWithError audit_get_item

#endif

static Py_ssize_t audit_offset(PyTypeObject *type, PyObject *name)
{
    Py_ssize_t offset = 0;
    if (type->tp_getattro != PyObject_GenericGetAttr)
        return 0;
    PyObject *found = PyObject_GetAttr((PyObject *)type, name);
    if (found == NULL) {
        PyErr_Clear();
        return 0;
    }
    if (Py_IS_TYPE(found, &PyMemberDescr_Type) && PyType_IsSubtype(type, PyDescr_TYPE(found))) {
        PyMemberDef *member = ((PyMemberDescrObject *)found)->d_member;
        if (member->type == T_OBJECT_EX && member->flags <= READONLY)
            offset = member->offset;
    }
    Py_DECREF(found);
    return offset;
}

static __attribute__((noinline)) PyObject *audit_look_up(PyObject *object, PyObject *name, AuditPlace *place)
{
    PyTypeObject *type = Py_TYPE(object);
    PyObject *value = PyObject_GetAttr(object, name);
    if (value != NULL && type->tp_version_tag != 0) {
        place->offset = audit_offset(type, name);
        place->version = type->tp_version_tag;
        Py_INCREF(name);
        Py_XSETREF(place->name, name);
    }
    return value;
}

static PyObject *audit_get_other(PyObject *object, PyObject *name)
{
    if (PyModule_CheckExact(object)) {
        PyObject *value = PyDict_GetItemWithError(PyModule_GetDict(object), name);
        if (value != NULL)
            return Py_NewRef(value);
        PyErr_Clear();
    }
    return PyObject_GetAttr(object, name);
}

static inline PyObject *audit_get_attribute(PyObject *object, PyObject *name)
{
    unsigned int version = Py_TYPE(object)->tp_version_tag;
    AuditPlace *place = &audit_places[(version * 37 + (unsigned int)((uintptr_t)name >> 4)) % AUDIT_PLACES];
    if (version != 0 && place->version == version && place->name == name) {
        if (place->offset == 0)
            return audit_get_other(object, name);
        PyObject *value = *(PyObject **)((char *)object + place->offset);
        if (value != NULL)
            return Py_NewRef(value);
    }
    return audit_look_up(object, name, place);
}

#define PyObject_GetAttr audit_get_attribute

#endif
#endif
