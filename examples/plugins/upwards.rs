// SPDX-License-Identifier: MIT
// The interface to touchstone in Rust, with a minimal generator:
//
//   rustc -O --crate-type cdylib -o upwards.so upwards.rs
//   touchstone run --plugin ./upwards.so --method upwards --case cliff_edges
//
// The structs are those of method.h and types.h, version 3, member by member. A panic does not
// cross the ABI boundary: in an `extern "C"` function it aborts, which is a crashed row (before Rust
// 1.81 set panic = "abort").
use std::ffi::{c_char, c_void};

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Quat {
    w: f64,
    x: f64,
    y: f64,
    z: f64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pose {
    rotation: Quat,
    translation: Vec3,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Twist {
    linear_m_s: Vec3,
    angular_rad_s: Vec3,
}
#[repr(C)]
pub struct Mesh {
    vertex_count: usize,
    vertices: *const Vec3,
    triangle_count: usize,
    triangles: *const [u32; 3],
    edge_twin: *const u32,
    tet_count: usize,
    tets: *const [u32; 4],
    tet_surface: *const u8,
    geometry: *const c_void, // not used here: contacts are of the triangles
}
#[repr(C)]
pub struct Envelope {
    kind: i32,
    mode: i32,
    size_m: f64,
    reach_m: f64,
}
#[repr(C)]
pub struct Pair {
    struct_size: u32,
    body_a: i32,
    body_b: i32,
    mesh_a: *const Mesh,
    mesh_b: *const Mesh,
    pose_a: Pose,
    pose_b: Pose,
    twist_a: Twist,
    twist_b: Twist,
    envelope: Envelope,
    size_m: f64,
}
#[repr(C)]
pub struct Feature {
    kind: i32,
    index: u32,
}
#[repr(C)]
pub struct Contact {
    point: Vec3,
    normal: Vec3,
    gap_m: f64,
    area_m2: f64,
    feature_a: Feature,
    feature_b: Feature,
    group: u32,
    reserved: u32,
}
#[repr(C)]
pub struct Host {
    abi: u32,
    struct_size: u32,
    alloc: extern "C" fn(*const Host, usize) -> *mut c_void,
    scratch: extern "C" fn(*const Host, usize) -> *mut c_void,
    push: extern "C" fn(*const Host, *const Contact, usize) -> i32,
    fail: extern "C" fn(*const Host, i32, *const c_char) -> i32,
}
type Generate = extern "C" fn(
    *const Host,
    *const Pair,
    *const c_void,
    *const c_void,
    *mut c_void,
    *const f64,
) -> i32;
#[repr(C)]
pub struct Method {
    abi: u32,
    struct_size: u32,
    name: *const c_char,
    summary: *const c_char,
    source: *const c_char,
    needs: u32,
    gives: u32,
    params: *const c_void,
    param_count: usize,
    envelope: Option<extern "C" fn(*mut Envelope, *const f64) -> i32>,
    prepare_shape:
        Option<extern "C" fn(*mut *mut c_void, *const Host, *const Mesh, *const f64) -> i32>,
    prepare_pair: Option<extern "C" fn()>, // not used here
    generate: Option<Generate>,
    release_shape: Option<extern "C" fn(*mut c_void)>,
    release_pair: Option<extern "C" fn(*mut c_void)>,
    taxonomy: *const c_void,
    keeps_state: u32,
    keeps_state_if: *const c_char,
    takes: u32,
}

extern "C" fn generate(
    host: *const Host,
    pair: *const Pair,
    _: *const c_void,
    _: *const c_void,
    _: *mut c_void,
    _: *const f64,
) -> i32 {
    let (host, pair) = unsafe { (&*host, &*pair) };
    let none = || Feature { kind: 0, index: 0 };
    let contact = Contact {
        point: pair.pose_b.translation,
        normal: Vec3 {
            x: 0.0,
            y: 1.0,
            z: 0.0,
        },
        gap_m: 0.0,
        area_m2: f64::NAN,
        feature_a: none(),
        feature_b: none(),
        group: 0,
        reserved: 0,
    };
    (host.push)(host, &contact, 1)
}

#[repr(transparent)]
struct Shared<T>(T);
unsafe impl<T> Sync for Shared<T> {}
static METHOD: Shared<Method> = Shared(Method {
    abi: 3,
    struct_size: std::mem::size_of::<Method>() as u32,
    name: b"upwards\0".as_ptr() as *const c_char,
    summary: b"Upwards, in the middle of b.\0".as_ptr() as *const c_char,
    source: b"my crate 1.0\0".as_ptr() as *const c_char,
    needs: 0,
    gives: 0,
    params: std::ptr::null(),
    param_count: 0,
    envelope: None,
    prepare_shape: None,
    prepare_pair: None,
    generate: Some(generate),
    release_shape: None,
    release_pair: None,
    taxonomy: std::ptr::null(),
    keeps_state: 0,
    keeps_state_if: std::ptr::null(),
    takes: 0,
});
static METHODS: Shared<[*const Method; 2]> = Shared([&METHOD.0, std::ptr::null()]);

#[no_mangle]
pub extern "C" fn touchstone_methods() -> *const *const Method {
    METHODS.0.as_ptr()
}
